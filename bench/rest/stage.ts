/** What the load needs in a seeded database: a key, a package, a full balance and vouchers to redeem. */
import postgres from 'postgres';
import { newId } from '@/server/domain/kernel/ids';
import { newVoucherCode } from '@/server/domain/kernel/voucher-code';
import { createKey } from '@/server/testing/factory';
import { phoneOf } from '../seed';
import { captureStatements } from './capture';
import { firstHolder, type Supplies, type Voucher } from './jobs';
import type { Statements } from './statements';

export interface Stage {
  url: string;
  customers: number;
  merchantId: string;
  /** A key of one till, with the maximum limits. */
  key: string;
  /** The service's statements. */
  statements: Statements;
  /** Supplies for one sending process, which no other process uses. */
  supplies(prefix: string, vouchers?: number): Promise<Supplies>;
  close(): Promise<void>;
}

const highestRate = 50_000;

/** One that no earlier run on the database has used. */
export const prefixOf = (name: string) => `${name}-${Date.now().toString(36)}`;

export async function openStage(url: string, customers: number): Promise<Stage> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const [some] = await owner`
    select m.id as "merchantId", s.id as "storeId", p.id as "packageId"
    from merchants m join stores s on s.merchant_id = m.id and s.store_code = 'S0'
    join stored_value_packages p on p.merchant_id = m.id limit 1`;
  const { merchantId, storeId, packageId } = some as { merchantId: string; storeId: string; packageId: string };
  const limits = { rate_per_second: highestRate, rate_burst: highestRate };
  const key = await createKey(owner, merchantId, storeId, limits);
  // No benchmark uses up the first customer's balance.
  await fillBalances(owner, merchantId, [phoneOf(0)]);
  const supplies = async (prefix: string, vouchers = 0) => ({
    prefix: prefixOf(prefix),
    customers,
    shops: [{ key, packageId, vouchers: await issueVouchers(owner, merchantId, customers, vouchers) }],
  });
  const statements = await captureStatements(url, await supplies('capture', 1));
  return { url, customers, merchantId, key, statements, supplies, close: () => owner.end() };
}

/** More than any measurement spends. */
const plenty = 1_000_000_000;

/** Gives each of these customers one lot, which is spent first, as by an adjustment. */
export async function fillBalances(owner: postgres.Sql, merchantId: string, phones: string[]): Promise<void> {
  await owner`
    with named as (
      select id from customers where merchant_id = ${merchantId} and phone = any(${phones}::text[])
    ), booked as (
      insert into transactions (merchant_id, uid, type, status, customer_id, amount, occurred_at, created_at)
      select ${merchantId}, uuidv7(), 'adjustment', 'completed', id, ${plenty}, now(), now() from named
      returning uid, customer_id
    ), granted as (
      insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at, created_at)
      select ${merchantId}, uuidv7(), customer_id, uid, 'principal', ${plenty}, ${plenty}, null, now() - interval '2 years'
      from booked returning id, customer_id, transaction_uid
    ), entered as (
      insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
      select ${merchantId}, transaction_uid, customer_id, id, 'principal', 'adjustment', ${plenty}, now() from granted
    )
    update balances b set principal = principal + ${plenty} from named
    where b.merchant_id = ${merchantId} and b.customer_id = named.id`;
}

/** Issues vouchers of the merchant's oldest campaign to the last customers. */
export async function issueVouchers(
  owner: postgres.Sql,
  merchantId: string,
  customers: number,
  count: number,
): Promise<Voucher[]> {
  const first = firstHolder(customers);
  const vouchers = Array.from({ length: count }, (_, n) => ({
    id: newId(),
    code: newVoucherCode(),
    phone: phoneOf(first + (n % (customers - first))),
  }));
  for (let from = 0; from < count; from += 10_000) {
    await owner`
      insert into vouchers (merchant_id, id, campaign_id, customer_id, voucher_code, occasion, issued_at)
      select ${merchantId}, v.id, (select id from voucher_campaigns where merchant_id = ${merchantId} order by id limit 1),
        c.id, v.code, 'load ' || v.id, now()
      from json_to_recordset(${JSON.stringify(vouchers.slice(from, from + 10_000))}::text::json) as v (id uuid, code text, phone text)
      join customers c on c.merchant_id = ${merchantId} and c.phone = v.phone`;
  }
  return vouchers.map(({ code, phone }) => ({ code, phone }));
}
