/** Seeds the data around the ledger: vouchers, messages, a menu, orders and logs, in smaller numbers. */
import type postgres from 'postgres';
import { inFull } from './pace';

export interface BenchMerchant {
  id: string;
  ownerId: string;
  apiKeyId: string;
}

/** Does a part of the work, and says how long it took. */
export type Step = (what: string, work: () => PromiseLike<unknown>) => Promise<void>;

/** Constant for every size, so that sizes can be compared. */
const customersPerVoucher = 5;
const maxGuests = 200_000;
const messages = inFull(100_000, 1_000);
const orders = inFull(100_000, 1_000);
const logs = inFull(200_000, 1_000);

export async function seedSurroundings(
  sql: postgres.Sql,
  merchant: BenchMerchant,
  customers: number,
  step: Step,
): Promise<void> {
  await sql`
    create temp table guests as
    select row_number() over (order by id) - 1 as n, id from customers
    where merchant_id = ${merchant.id} order by id limit ${maxGuests}`;
  await sql`
    create temp table places as
    select row_number() over (order by store_code) - 1 as n, id from stores where merchant_id = ${merchant.id}`;
  await sql`analyze guests, places`;
  const guests = Math.min(maxGuests, customers);
  const vouchers = Math.ceil(customers / customersPerVoucher);
  await step('vouchers', () => writeVouchers(sql, merchant, vouchers, guests));
  await step('messages', () => writeMessages(sql, merchant, guests));
  await step('menu and orders', async () => {
    await writeMenu(sql, merchant);
    await writeOrders(sql, merchant);
  });
  await step('logs', () => writeLogs(sql, merchant));
  await sql`drop table guests, places`;
}

async function writeVouchers(
  sql: postgres.Sql,
  { id, apiKeyId }: BenchMerchant,
  vouchers: number,
  guests: number,
): Promise<void> {
  await sql`
    insert into stored_value_packages (merchant_id, id, name, kind, amount, bonus_amount, bonus_expires_in_days)
    values (${id}, gen_random_uuid(), 'Top up 100, get 120', 'fixed', 10000, 2000, 90)`;
  await sql`
    insert into voucher_campaigns (merchant_id, id, name, unit, value, trigger)
    select ${id}, pg_temp.id_at(now() - interval '300 days' + n * interval '1 day', 'campaign'), 'Campaign ' || n,
      'BillDollarValue', 500, 'manual' from generate_series(0, 19) n`;
  await sql`
    create temp table planned as
    select v.n, c.id as campaign_id, g.id as customer_id, p.id as store_id, at, pg_temp.end_of_day(at + interval '60 days') as expires_at,
      v.n % 3 = 0 as is_redeemed, upper('v' || lpad(to_hex(v.n), 9, '0')) as code, pg_temp.id_at(at, 'voucher ' || v.n) as id,
      pg_temp.id_at(at + interval '1 day', 'voucher ' || v.n) as redeemed_by
    from (select n, now() - interval '25 hours' - random() * interval '200 days' as at from generate_series(1, ${vouchers}::int) n) v
    join guests g on g.n = v.n % ${guests}::int
    join places p on p.n = v.n % 10
    join (select row_number() over (order by id) - 1 as n, id from voucher_campaigns where merchant_id = ${id}) c
      on c.n = v.n % 20`;
  await sql`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, customer_id, amount, api_key_id,
      answer, occurred_at, created_at)
    select ${id}, redeemed_by, store_id, 'voucher-' || n, 'redeemVoucher', 'completed', customer_id, 500, ${apiKeyId},
      json_build_object('voucherCode', left(code, 5) || '-' || substr(code, 6)), at + interval '1 day', at + interval '1 day'
    from planned where is_redeemed order by redeemed_by`;
  await sql`alter table vouchers enable always trigger tally_new`;
  await sql`
    insert into vouchers (merchant_id, id, campaign_id, customer_id, voucher_code, occasion, issued_at, expires_at,
      redeemed_by, redeemed_at)
    select ${id}, id, campaign_id, customer_id, code, 'hand ' || n, at, expires_at,
      case when is_redeemed then redeemed_by end, case when is_redeemed then at + interval '1 day' end
    from planned order by id`;
  await sql`alter table vouchers enable trigger tally_new`;
  await sql`
    insert into voucher_counts (merchant_id, campaign_id, customer_id, issued_count)
    select merchant_id, campaign_id, customer_id, count(*) from vouchers group by 1, 2, 3`;
  await sql`
    update voucher_campaigns c set issued_count = (select count(*) from vouchers v where v.campaign_id = c.id)`;
  await sql`drop table planned`;
}

async function writeMessages(sql: postgres.Sql, { id }: BenchMerchant, guests: number): Promise<void> {
  await sql`
    insert into messages (merchant_id, id, customer_id, kind, channel, state, attempts, failure, created_at, updated_at)
    select ${id}, pg_temp.id_at(at, 'message ' || m.n), g.id, 'pin', 'whatsapp',
      (array['delivered', 'read', 'sent', 'delivered', 'failed'])[1 + m.n % 5]::message_state, 1,
      case when m.n % 5 = 4 then '{"key": "whatsappError", "values": {"code": 131026}}'::jsonb end, at, at
    from (select n, now() - random() * interval '90 days' as at from generate_series(1, ${messages}) n) m
    join guests g on g.n = m.n % ${guests}::int order by at`;
}

async function writeMenu(sql: postgres.Sql, { id }: BenchMerchant): Promise<void> {
  await sql`
    insert into menu_categories (merchant_id, id, name, position)
    select ${id}, gen_random_uuid(), 'Category ' || n, n from generate_series(0, 9) n`;
  await sql`
    insert into menu_items (merchant_id, id, category_id, plu, name, price, position)
    select ${id}, gen_random_uuid(), c.id, 'P' || n, 'Dish ' || n, 100 + n, n from generate_series(0, 499) n
    join menu_categories c on c.merchant_id = ${id} and c.position = n % 10`;
  await sql`
    insert into stock_outs (merchant_id, store_id, plu, actor_kind, stocked_out_at)
    select ${id}, p.id, 'P' || item * 5, 'service', now() from places p cross join generate_series(0, 19) item`;
}

async function writeOrders(sql: postgres.Sql, { id }: BenchMerchant): Promise<void> {
  await sql`
    create temp table bills as
    select b.n, p.id as store_id, pg_temp.id_at(at, 'code ' || b.n) as qr_code_id, at, b.n > ${orders - 300}::int as is_open
    from (
      select n, now() - (${orders} - n) * (interval '180 days' / ${orders}::int) as at from generate_series(1, ${orders}) n
    ) b join places p on p.n = b.n % 10`;
  await sql`
    insert into qr_codes (merchant_id, id, store_id, bill_id, table_name, status, token_hash, expires_at, invalidated_at, created_at)
    select ${id}, qr_code_id, store_id, 'bill-' || n, (n % 40)::text, (case when is_open then 'active' else 'invalidated' end)::qr_code_status,
      sha256(n::text::bytea), at + interval '4 hours', case when not is_open then at + interval '1 hour' end, at from bills`;
  await sql`
    insert into orders (merchant_id, id, store_id, qr_code_id, number, client_order_id, status, total, placed_at, updated_at)
    select ${id}, pg_temp.id_at(at + interval '1 min', 'order ' || n), store_id, qr_code_id, n, gen_random_uuid(),
      (case when is_open then (array['placed', 'accepted', 'ready'])[1 + n % 3] else 'served' end)::order_status, 1000, at, at from bills`;
  await sql`
    insert into order_lines (merchant_id, order_id, position, plu, name, quantity, unit_price, amount)
    select merchant_id, id, position, 'P' || position, 'Dish', 1, 500, 500 from orders cross join generate_series(0, 1) position`;
  await sql`drop table bills`;
}

async function writeLogs(sql: postgres.Sql, { id, ownerId, apiKeyId }: BenchMerchant): Promise<void> {
  await sql`
    insert into api_requests (merchant_id, api_key_id, id, operation, status, duration_ms, created_at)
    select ${id}, ${apiKeyId}, pg_temp.id_at(at, 'request ' || n), 'redeemStoredValue',
      (array[200, 200, 200, 402, 500])[1 + n % 5], 12, at
    from (
      select n, now() - (${logs} - n) * (interval '30 days' / ${logs}::int) as at from generate_series(1, ${logs}) n
    ) r`;
  await sql`
    insert into audit_log (merchant_id, id, actor_kind, actor_id, action, subject_kind, subject_id, before, after, created_at)
    select ${id}, pg_temp.id_at(at, 'audit ' || n), 'staff', ${ownerId},
      (array['settings.pinRequired', 'stockOut.add', 'menu.updateItem', 'customer.adjust'])[1 + n % 4], 'merchant', ${id},
      '{"pinRequired":false}', '{"pinRequired":true}', at
    from (
      select n, now() - (${logs} - n) * (interval '365 days' / ${logs}::int) as at from generate_series(1, ${logs}) n
    ) a`;
}
