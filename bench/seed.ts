/**
 * Seeds a merchant with many customers and a year of business, in bulk, as the service would have written it: the
 * ledger is consistent (`npm run ledger:verify`), and ids contain the time of their rows.
 */
import type postgres from 'postgres';
import { newId } from '@/server/domain/kernel/ids';
import { type BenchMerchant, type Step, seedSurroundings } from './seed-surroundings';

export interface Size {
  customers: number;
  /** The minimum number of ledger entries. */
  entries: number;
}

const storeCount = 10;
/** Two for its top-up, one for its sale, one or two for its redemption, and occasionally those of expiry and void. */
const entriesPerVisit = 4.9;

/** Writes the merchant to an empty, migrated database. `say` prints the slow steps. */
export async function seedMerchant(
  sql: postgres.Sql,
  { customers, entries }: Size,
  say: (what: string) => void,
): Promise<BenchMerchant> {
  const merchant = { id: newId(), ownerId: newId(), apiKeyId: newId() };
  const step: Step = async (what, work) => {
    const start = performance.now();
    await work();
    say(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  await sql.unsafe(`
    set session_replication_role = replica;
    set work_mem = '256MB'; set maintenance_work_mem = '1GB';
    select setseed(0.5);
    ${functions}`);
  await writeMerchant(sql, merchant);
  await step('customers', () => writeCustomers(sql, merchant.id, customers));
  await withoutIndexes(sql, ['transactions', 'lots', 'ledger_entries'], step, async () => {
    await step('visits', () => planVisits(sql, merchant, customers, Math.ceil(entries / entriesPerVisit)));
    await step('transactions', () => writeTransactions(sql, merchant));
    await step('lots', () => sql.unsafe(lots));
    await step('entries', () => sql.unsafe(ledgerEntries));
    await step('sales', () => writeSales(sql));
  });
  await step('balances', () => sql.unsafe(balances));
  await seedSurroundings(sql, merchant, customers, step);
  await sql.unsafe('drop table visits; set session_replication_role = origin');
  await step('statistics', () => sql`vacuum analyze`);
  return merchant;
}

/** The UUIDv7 that the service would have generated for `word` at that time; and the end of a day in Singapore. */
const functions = `
  create or replace function pg_temp.end_of_day(at timestamptz) returns timestamptz language sql stable as $$
    select (date_trunc('day', at at time zone 'Asia/Singapore') + interval '1 day') at time zone 'Asia/Singapore'
      - interval '1 ms'
  $$;
  create or replace function pg_temp.id_at(at timestamptz, word text) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(word), 1, 3)
      || '8' || substr(md5(word), 4, 15))::uuid
  $$;`;

async function writeMerchant(sql: postgres.Sql, { id, ownerId, apiKeyId }: BenchMerchant): Promise<void> {
  await sql`
    insert into merchants (id, name, currency, country, time_zone, locale)
    values (${id}, 'Bench', 'SGD', 'SG', 'Asia/Singapore', 'en-SG')`;
  await sql`
    insert into stores (merchant_id, id, store_code, name)
    select ${id}, gen_random_uuid(), 'S' || n, 'Store ' || n from generate_series(0, ${storeCount - 1}) n`;
  await sql`insert into users (id, email, name, password_hash) values (${ownerId}, 'owner@bench.example', 'Owner', 'none')`;
  await sql`insert into memberships (merchant_id, user_id, role) values (${id}, ${ownerId}, 'owner')`;
  await sql`
    insert into api_keys (merchant_id, id, name, environment, hash, last_four, rate_per_second, rate_burst)
    values (${id}, ${apiKeyId}, 'All stores', 'sandbox', 'none', 'none', 50000, 50000)`;
}

/** The phone number of customer `number`, counted from 0. */
export const phoneOf = (number: number): string => `+65${80_000_000 + number}`;

const givenNames = 'Mei Ling,Wei Jie,Nurul,Aravind,Xin Yi,Siti,Daniel,Hui Min,Farid,Priya,Jun Hao,Grace,Ahmad,Kavitha';
const lastNames = 'Tan,Lim,Lee,Ng,Wong,Rahman,Nair,Goh,Chua,Koh,Abdullah,Pillai,Teo,Ong,Chan,Yeo,Sim';

async function writeCustomers(sql: postgres.Sql, merchantId: string, count: number): Promise<void> {
  await sql`
    insert into customers (merchant_id, id, given_name, last_name, phone, email, birthday, joined_at)
    select ${merchantId}, pg_temp.id_at(joined_at, 'customer ' || n),
      split_part(${givenNames}, ',', 1 + n % 14), split_part(${lastNames}, ',', 1 + n / 14 % 17) || ' ' || n / 238,
      '+65' || 80000000 + n, 'guest' || n || '@example.com', date '1960-01-01' + n % 16000, joined_at
    from (
      select n, now() - interval '400 days' + n * (interval '34 days' / ${count}::int) as joined_at
      from generate_series(0, ${count - 1}) n
    ) c`;
  // The same as the table's trigger, in order.
  await sql`
    insert into customer_terms (merchant_id, term, customer_id)
    select distinct c.merchant_id, t.term collate "C" as term, c.id
    from customers c cross join lateral customer_terms_of(c.given_name, c.last_name, c.phone, c.email) as t (term)
    order by term, id`;
}

/** Each visit is a top-up, then a sale, then a redemption of what was topped up; some sales are voided. */
async function planVisits(sql: postgres.Sql, { id }: BenchMerchant, customers: number, count: number): Promise<void> {
  await sql`
    create unlogged table visits as
    select v as number, c.customer_id, s.store_id, at, pg_temp.end_of_day(at + interval '90 days') as expires_at,
      v % 4 = 0 as is_small, v % 100 = 7 as is_voided, (1000 + v * 37::bigint % 5000) as total,
      pg_temp.id_at(at, 'top-up ' || v) as top_up, pg_temp.id_at(at + interval '40 min', 'sale ' || v) as sale,
      pg_temp.id_at(at + interval '41 min', 'redeem ' || v) as redemption,
      pg_temp.id_at(pg_temp.end_of_day(at + interval '90 days'), 'expiry ' || v) as expiry,
      pg_temp.id_at(at + interval '2 hours', 'void ' || v) as void
    from (select v, now() - interval '3 hours' - random() * interval '365 days' as at from generate_series(1, ${count}) v) p
    join (
      select row_number() over (order by id) - 1 as n, id as customer_id from customers where merchant_id = ${id}
    ) c on c.n = v % ${customers}::int
    join (
      select row_number() over (order by store_code) - 1 as n, id as store_id from stores where merchant_id = ${id}
    ) s on s.n = v * 7 % ${storeCount}::int`;
  await sql`alter table visits add merchant_id uuid default ${sql.unsafe(`'${id}'`)}`;
  await sql`analyze visits`;
}

/** As long as a real response. */
const answer = `'{"status":"completed","printText":"' || repeat('x', 250) || '"}'`;

async function writeTransactions(sql: postgres.Sql, { id, apiKeyId }: BenchMerchant): Promise<void> {
  await sql`
    insert into voids (merchant_id, id, store_id, api_key_id, reason, created_at)
    select merchant_id, void, store_id, ${apiKeyId}, 'Wrong table', at + interval '2 hours' from visits where is_voided`;
  await sql.unsafe(`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, customer_id, amount, bill_id,
      api_key_id, answer, occurred_at, created_at, void_id, voided_at)
    select '${id}', uid, store_id, transaction_id, type::transaction_type, status::transaction_status, customer_id, amount,
      bill_id, '${apiKeyId}', ${answer}, at, at, void_id, voided_at
    from (
      select top_up as uid, store_id, 'top-up-' || number as transaction_id, 'topUp' as type, 'completed' as status,
        customer_id, 10000 as amount, null as bill_id, at, null::uuid as void_id, null::timestamptz as voided_at
      from visits
      union all
      select sale, store_id, 'sale-' || number, 'sale', case when is_voided then 'voided' else 'completed' end,
        customer_id, total, 'bill-' || number, at + interval '40 min', case when is_voided then void end,
        case when is_voided then at + interval '2 hours' end
      from visits
      union all
      select redemption, store_id, 'redeem-' || number, 'redeemStoredValue', 'completed', customer_id,
        case when is_small then 500 else 3000 end, 'bill-' || number, at + interval '41 min', null, null
      from visits
      union all
      select pg_temp.id_at(at + interval '1 min', 'guest ' || number), store_id, 'guest-' || number, 'sale', 'completed',
        null, total, null, at + interval '1 min', null, null
      from visits where number % 5 = 0
      union all
      select pg_temp.id_at(at + interval '2 min', 'refused ' || number), store_id, 'refused-' || number,
        'redeemStoredValue', 'refused', customer_id, null, null, at + interval '2 min', null, null
      from visits where number % 50 = 0
    ) t order by uid`);
  await sql`
    insert into transactions (merchant_id, uid, type, status, customer_id, occurred_at, created_at)
    select merchant_id, expiry, 'expiry', 'completed', customer_id, expires_at, expires_at
    from visits where is_small and expires_at < now()`;
}

const lots = `
  insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at, created_at)
  select merchant_id, pg_temp.id_at(at, 'principal ' || number), customer_id, top_up, 'principal'::balance_part, 10000,
    case when is_small then 10000 else 9000 end, null, at
  from visits
  union all
  select merchant_id, pg_temp.id_at(at, 'bonus ' || number), customer_id, top_up, 'bonus', 2000,
    case when is_small and expires_at > now() then 1500 else 0 end, expires_at, at
  from visits
  union all
  select merchant_id, pg_temp.id_at(at, 'points ' || number), customer_id, sale, 'points', total / 100,
    case when is_voided then 0 else total / 100 end, null, at + interval '40 min'
  from visits`;

const ledgerEntries = `
  insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
  select v.merchant_id, e.uid, v.customer_id, pg_temp.id_at(v.at, e.part || ' ' || v.number), e.part::balance_part,
    e.kind::entry_kind, e.amount, e.at
  from visits v cross join lateral (
    values (top_up, 'principal', 'grant', 10000, at, true),
      (top_up, 'bonus', 'grant', 2000, at, true),
      (sale, 'points', 'grant', total / 100, at + interval '40 min', true),
      (redemption, 'bonus', 'spend', case when is_small then -500 else -2000 end, at + interval '41 min', true),
      (redemption, 'principal', 'spend', -1000, at + interval '41 min', not is_small),
      (expiry, 'bonus', 'expiry', -1500, expires_at, is_small and expires_at < now()),
      (sale, 'points', 'void', -(total / 100), at + interval '2 hours', is_voided)
  ) as e (uid, part, kind, amount, at, is_there)
  where e.is_there order by e.at`;

const balances = `
  insert into balances (merchant_id, customer_id, principal, bonus, points)
  select c.merchant_id, c.id, coalesce(l.principal, 0), coalesce(l.bonus, 0), coalesce(l.points, 0)
  from customers c left join (
    select customer_id, sum(remaining) filter (where part = 'principal') as principal,
      sum(remaining) filter (where part = 'bonus') as bonus, sum(remaining) filter (where part = 'points') as points
    from lots group by customer_id
  ) l on l.customer_id = c.id`;

/** The bills of all sales; their lines for the last month only. */
async function writeSales(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into sales (merchant_id, transaction_uid, subtotal, discount, service_charge, tax, rounding, total, points_earned, closed_at)
    select merchant_id, uid, amount, 0, 0, 0, 0, amount, case when customer_id is null then 0 else amount / 100 end, created_at
    from transactions where type = 'sale' order by uid`;
  await sql`
    insert into sale_lines (merchant_id, transaction_uid, position, plu, name, quantity, unit_price, amount)
    select merchant_id, transaction_uid, position, 'P' || (subtotal + position) % 500, 'Dish', 1, subtotal / 2, subtotal / 2
    from sales cross join generate_series(0, 1) position where closed_at > now() - interval '30 days'`;
  await sql`
    insert into sale_payments (merchant_id, transaction_uid, position, method, amount)
    select merchant_id, transaction_uid, 0, 'visa', total from sales where closed_at > now() - interval '30 days'`;
}

/** Drops all indexes of `tables` except those of constraints, runs `work`, and recreates them. */
async function withoutIndexes(
  sql: postgres.Sql,
  tables: string[],
  step: Step,
  work: () => Promise<void>,
): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any(${tables}::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await work();
  await step('indexes', async () => {
    for (const { definition } of indexes) await sql.unsafe(definition);
  });
}
