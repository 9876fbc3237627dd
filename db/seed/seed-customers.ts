import type { Sql, TransactionSql } from '../driver';

interface Crowd {
  merchantId: string;
  /** Customers are numbered from `from` up to `to`, which is excluded. */
  from: number;
  to: number;
  givenNames: string[];
  lastNames: string[];
  phonePrefix: string;
  phoneDigits: number;
  phoneOffset: number;
  mailDomain: string;
  /** The highest paid balance, in minor units. */
  mostPrincipal: number;
  /** When the balances were imported. The last customer joined the day before. */
  openedAt: Date;
}

/**
 * Writes customers with opening balances, in bulk. They differ only in their dates. Three of four have stored value and
 * four of five have points, each by an adjustment with its lots and ledger entries, as after an import.
 */
export async function seedCustomers(sql: Sql, crowd: Crowd): Promise<void> {
  const { merchantId, from, to } = crowd;
  // Not a Date: once Drizzle has wrapped the connection, it can no longer write dates.
  const openedAt = crowd.openedAt.toISOString();
  await sql.begin(async (tx) => {
    await tx`
      create temp table crowd on commit drop as
      select i, (md5(${merchantId} || ' ' || i)) as h from generate_series(${from}::int, ${to - 1}::int) i`;
    await tx.unsafe(`
      create or replace function pg_temp.seed_uuid(word text, made text default '019000000000') returns uuid language sql immutable as $$
        select (made || '7' || substr(md5(word), 1, 3) || '8' || substr(md5(word), 4, 15))::uuid
      $$`);
    // Existing customers keep their balances: an opening's uid would be another one today.
    await tx`
      with joined as (
        insert into customers (merchant_id, id, given_name, last_name, phone, email, birthday, joined_at)
        select ${merchantId}, pg_temp.seed_uuid('customer ' || h),
          (${crowd.givenNames}::text[])[1 + i % ${crowd.givenNames.length}::int],
          (${crowd.lastNames}::text[])[1 + (i * 7 + i / 11) % ${crowd.lastNames.length}::int],
          ${crowd.phonePrefix} || lpad((i + ${crowd.phoneOffset}::int)::text, ${crowd.phoneDigits}::int, '0'),
          'guest' || i || '@' || ${crowd.mailDomain},
          date '1960-01-01' + (('x' || substr(h, 1, 4))::bit(16)::int % 16000),
          ${openedAt}::timestamptz - (600 - i % 600) * interval '1 day'
        from crowd on conflict do nothing returning id
      )
      delete from crowd where pg_temp.seed_uuid('customer ' || h) not in (select id from joined)`;
    await tx`
      insert into balances (merchant_id, customer_id, principal, bonus, points)
      select ${merchantId}, id, principal, bonus, points from (${opening(tx, crowd)}) o`;
    await tx`
      insert into transactions (merchant_id, uid, type, status, customer_id, amount, occurred_at, created_at)
      select ${merchantId}, uid, 'adjustment', 'completed', id, principal, ${openedAt}::timestamptz, ${openedAt}::timestamptz
      from (${opening(tx, crowd)}) o where principal + bonus + points > 0`;
    await tx`
      insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at, created_at)
      select ${merchantId}, pg_temp.seed_uuid(part || uid), id, uid, part::balance_part, amount, amount,
        case part
          when 'bonus' then date_trunc('day', ${openedAt}::timestamptz + interval '8 months 1 day', time_zone)
          when 'points' then date_trunc('month', ${openedAt}::timestamptz + interval '15 months', time_zone)
        end - interval '1 millisecond',
        ${openedAt}::timestamptz
      from (${opening(tx, crowd)}) o, (select time_zone from merchants where id = ${merchantId}) m,
        lateral (values ('principal', principal), ('bonus', bonus), ('points', points)) p (part, amount)
      where amount > 0`;
    await tx`
      insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
      select l.merchant_id, l.transaction_uid, l.customer_id, l.id, l.part, 'adjustment', l.granted, l.created_at
      from lots l join (${opening(tx, crowd)}) o on l.transaction_uid = o.uid where l.merchant_id = ${merchantId}`;
  });
}

function opening(sql: TransactionSql, { mostPrincipal, openedAt }: Crowd) {
  // Lists sort by uid, and find days by the time at its start.
  const made = openedAt.getTime().toString(16).padStart(12, '0');
  return sql`
    select pg_temp.seed_uuid('customer ' || h) as id, pg_temp.seed_uuid('opening ' || h, ${made}) as uid,
      case when i % 4 = 3 then 0 else (1 + i * 37 % 100)::bigint * ${mostPrincipal}::bigint / 100 end as principal,
      case when i % 4 = 3 then 0 else (i * 13 % 20)::bigint * ${mostPrincipal}::bigint / 200 end as bonus,
      case when i % 5 = 4 then 0 else (20 + i * 29 % 480)::bigint end as points
    from crowd`;
}
