import { eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { menuItems, storedValuePackages, transactions, voucherCampaigns } from '@/db/schema';
import { DomainError } from '../core/errors';
import { say } from '../core/say';

/** What holds amounts in the merchant's currency, each by the words for it. */
const holders = [
  [transactions, 'transactions'],
  [storedValuePackages, 'stored-value packages'],
  [voucherCampaigns, 'voucher campaigns'],
  [menuItems, 'menu items'],
] as const;

/** What there is in the merchant's currency, so that it can't change any more; null where there is nothing yet. */
export async function whatFixesCurrency({ merchantId, db }: Tx): Promise<string | null> {
  const found = await Promise.all(
    holders.map(([table, words]) =>
      db
        .select({ words: sql<string>`${words}::text` })
        .from(table)
        .where(eq(table.merchantId, merchantId))
        .limit(1),
    ),
  );
  return found.flat()[0]?.words ?? null;
}

/** Errors: `currency_fixed`, saying why. */
export async function ensureCurrencyIsFree(tx: Tx): Promise<void> {
  const things = await whatFixesCurrency(tx);
  if (things === null) return;
  const sentence = say('currencyFixed', { things });
  throw new DomainError('currency_fixed', sentence, {}, [{ path: 'currency', sentence }]);
}
