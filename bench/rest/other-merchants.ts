/** More merchants beside the seeded one, for a load in which hardly two requests are of the same. */
import postgres from 'postgres';
import { createMerchant } from '@/server/testing/factory';
import { phoneOf } from '../seed';

/** Of each merchant: enough that two requests are seldom for the same one. */
export const customersOfEach = 200;
/** More than any measurement spends. */
const storedValue = 1_000_000_000;

/** Makes merchants whose customers all hold stored value. Answers a key of each. */
export async function addMerchants(url: string, count: number): Promise<string[]> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const keys: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id, stores } = await createMerchant(owner);
    keys.push(stores[0].key);
    await addCustomers(owner, id);
  }
  await owner`vacuum analyze`;
  await owner.end();
  return keys;
}

/** As the service writes customers who join, and an adjustment of each. */
async function addCustomers(owner: postgres.Sql, merchantId: string): Promise<void> {
  const phones = Array.from({ length: customersOfEach }, (_, n) => phoneOf(n));
  await owner`
    with joined as (
      insert into customers (merchant_id, id, given_name, last_name, phone, joined_at)
      select ${merchantId}, uuidv7(), 'Mei', 'Tan', phone, now() from unnest(${phones}::text[]) phone returning id
    ), held as (
      insert into balances (merchant_id, customer_id, principal) select ${merchantId}, id, ${storedValue} from joined
    ), booked as (
      insert into transactions (merchant_id, uid, type, status, customer_id, amount, occurred_at, created_at)
      select ${merchantId}, uuidv7(), 'adjustment', 'completed', id, ${storedValue}, now(), now() from joined
      returning uid, customer_id
    ), granted as (
      insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at, created_at)
      select ${merchantId}, uuidv7(), customer_id, uid, 'principal', ${storedValue}, ${storedValue}, null, now()
      from booked returning id, customer_id, transaction_uid
    )
    insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
    select ${merchantId}, transaction_uid, customer_id, id, 'principal', 'adjustment', ${storedValue}, now() from granted`;
}
