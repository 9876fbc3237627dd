/** Adds merchants to the seeded one, for a load in which two requests are seldom for the same one. */
import postgres from 'postgres';
import { createMerchant, type MerchantSettings } from '@/server/testing/factory';
import { phoneOf } from '../seed';
import { fillBalances } from './stage';

/** Customers per merchant: enough that two requests are seldom for the same one. */
export const customersPerMerchant = 200;
/** Creates merchants whose customers all have stored value; returns a key of each. */
export async function addMerchants(url: string, count: number, settings?: MerchantSettings): Promise<string[]> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const keys: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id, stores } = await createMerchant(owner, settings);
    keys.push(stores[0].key);
    await addCustomers(owner, id);
  }
  await owner`vacuum analyze`;
  await owner.end();
  return keys;
}

async function addCustomers(owner: postgres.Sql, merchantId: string): Promise<void> {
  const phones = Array.from({ length: customersPerMerchant }, (_, n) => phoneOf(n));
  await owner`
    with joined as (
      insert into customers (merchant_id, id, given_name, last_name, phone, joined_at)
      select ${merchantId}, uuidv7(), 'Mei', 'Tan', phone, now() from unnest(${phones}::text[]) phone returning id
    )
    insert into balances (merchant_id, customer_id) select ${merchantId}, id from joined`;
  await fillBalances(owner, merchantId, phones);
}
