/** Adds merchants to the seeded one, for a load in which two requests are seldom for the same one. */
import postgres from 'postgres';
import { createFixedPackage, createMerchant, type MerchantSettings } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { phoneOf } from '../seed';
import type { Supplies } from './jobs';
import { fillBalances, issueVouchers, prefixOf } from './stage';

export interface Merchants {
  merchants: number;
  /** Of each merchant: enough that two requests are seldom for the same one. */
  customers: number;
  /** Of each merchant, for each set of supplies. */
  vouchers: number;
  settings?: MerchantSettings;
}

/** Creates merchants whose customers all have stored value; returns a set of supplies for each name. */
export async function addMerchants<Name extends string>(
  url: string,
  names: Name[],
  { merchants, customers, vouchers, settings }: Merchants,
): Promise<Record<Name, Supplies>> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const made = names.map((name) => [name, { prefix: prefixOf(name), customers, shops: [] }] as [Name, Supplies]);
  for (let n = 0; n < merchants; n++) {
    const { id, stores } = await createMerchant(owner, settings);
    await addCustomers(owner, id, customers);
    const packageId = await createFixedPackage(owner, id, { amount: 1_000, bonus: 100 });
    await createCampaign(owner, id);
    for (const [, { shops }] of made) {
      shops.push({ key: stores[0].key, packageId, vouchers: await issueVouchers(owner, id, customers, vouchers) });
    }
  }
  await owner`vacuum analyze`;
  await owner.end();
  return Object.fromEntries(made) as Record<Name, Supplies>;
}

async function addCustomers(owner: postgres.Sql, merchantId: string, count: number): Promise<void> {
  const phones = Array.from({ length: count }, (_, n) => phoneOf(n));
  await owner`
    with joined as (
      insert into customers (merchant_id, id, given_name, last_name, phone, joined_at)
      select ${merchantId}, uuidv7(), 'Mei', 'Tan', phone, now() from unnest(${phones}::text[]) phone returning id
    )
    insert into balances (merchant_id, customer_id) select ${merchantId}, id from joined`;
  await fillBalances(owner, merchantId, phones);
}
