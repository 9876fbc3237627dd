/** A merchant of a drill: created by the release's own command, with one customer. */
import type postgres from 'postgres';
import { createFixedPackage } from '@/server/testing/factory';
import type { Release } from './release';

export const phone = '+6591234567';

/** Returns the key of its store, as the command prints it. */
export function createMerchant({ call }: Pick<Release, 'call'>): string {
  const profile = ['--name', 'Drill', '--currency', 'SGD', '--country', 'SG', '--time-zone', 'Asia/Singapore'];
  const owner = ['--locale', 'en-SG', '--store', 'ONE=One', '--owner-name', 'Ada', '--owner-email', 'ada@example.com'];
  const [, key] = /^ {2}ONE +(\S+)$/m.exec(call('merchant', 'create', ...profile, ...owner)) ?? [];
  if (!key) throw new Error('merchant create prints no key');
  return key;
}

export async function enrol(port: number, key: string): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/customers`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ givenName: 'Mei', lastName: 'Tan', phone }),
  });
  if (status !== 200) throw new Error(`the customer is not enrolled: ${status}`);
}

/** Offers the drill's merchant a package: pay 10, get 1 on top, as often in a day as the drill wants. Returns its id. */
export async function offerPackage(owner: postgres.Sql): Promise<string> {
  const [merchant] = await owner<{ id: string }[]>`
    update merchants set customer_daily_value = 1000000000, key_daily_value = 1000000000 returning id`;
  if (!merchant) throw new Error('there is no merchant');
  return createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 100 });
}

/** A sale without a customer. */
export const newSale = (transactionId: string) => ({
  transactionId,
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: 890, amount: 890 }],
  subtotal: 890,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: 890,
  payments: [{ method: 'cash', amount: 890 }],
  closedAt: new Date().toISOString(),
});
