import type { Tx } from '@/db/client';
import { DomainError } from '../core/errors';

/** What holds amounts in the merchant's currency, each by the words for it. */
const holders = {
  transactions: 'transactions',
  stored_value_packages: 'stored-value packages',
  voucher_campaigns: 'voucher campaigns',
  menu_items: 'menu items',
};

/** What there is in the merchant's currency, so that it can't change any more; null where there is nothing yet. */
export async function whatFixesCurrency({ merchantId, sql }: Tx): Promise<string | null> {
  const [found] = await sql.unsafe(
    Object.entries(holders)
      .map(([table, words]) => `(select '${words}' as words from ${table} where merchant_id = $1 limit 1)`)
      .join(' union all '),
    [merchantId],
  );
  return found?.words ?? null;
}

/** Errors: `currency_fixed`, saying why. */
export async function ensureCurrencyIsFree(tx: Tx): Promise<void> {
  const words = await whatFixesCurrency(tx);
  if (words === null) return;
  const message = `The currency can not change any more: there are ${words} in it.`;
  throw new DomainError('currency_fixed', message, {}, [{ path: 'currency', message }]);
}
