import type postgres from 'postgres';

export interface Violation {
  rule: string;
  merchantId: string;
  /** The row that is off. */
  subject: string;
  found: string;
}

const sumByPart = (column: string) =>
  ['principal', 'bonus', 'points']
    .map((part) => `coalesce(sum(${column}) filter (where part = '${part}'), 0) as ${part}`)
    .join(', ');

/** Each finds the rows that break one invariant of the ledger, over the whole database: by scans, never row by row. */
export const ledgerRules: Record<string, string> = {
  'a balance is the sum of what remains in the lots': `
    select b.merchant_id, b.customer_id::text as subject,
      format('balance %s/%s/%s, lots %s/%s/%s', b.principal, b.bonus, b.points, l.principal, l.bonus, l.points) as found
    from balances b left join (
      select merchant_id, customer_id, ${sumByPart('remaining')} from lots group by merchant_id, customer_id
    ) l using (merchant_id, customer_id)
    where (b.principal, b.bonus, b.points) <> (coalesce(l.principal, 0), coalesce(l.bonus, 0), coalesce(l.points, 0))`,
  'a balance is the sum of its entries': `
    select b.merchant_id, b.customer_id::text as subject,
      format('balance %s/%s/%s, entries %s/%s/%s', b.principal, b.bonus, b.points, e.principal, e.bonus, e.points) as found
    from balances b left join (
      select merchant_id, customer_id, ${sumByPart('amount')} from ledger_entries group by merchant_id, customer_id
    ) e using (merchant_id, customer_id)
    where (b.principal, b.bonus, b.points) <> (coalesce(e.principal, 0), coalesce(e.bonus, 0), coalesce(e.points, 0))`,
  'what remains in a lot is the sum of its entries': `
    select l.merchant_id, l.id::text as subject, format('remaining %s, entries %s', l.remaining, e.amount) as found
    from lots l left join (
      select merchant_id, lot_id, sum(amount) as amount from ledger_entries group by merchant_id, lot_id
    ) e on e.merchant_id = l.merchant_id and e.lot_id = l.id
    where l.remaining <> coalesce(e.amount, 0)`,
  'a lot grants what the entries of its own transaction say': `
    select coalesce(l.merchant_id, e.merchant_id) as merchant_id, coalesce(l.id, e.lot_id)::text as subject,
      format('granted %s, entries %s', l.granted, e.amount) as found
    from lots l full join (
      select merchant_id, lot_id, transaction_uid, sum(amount) as amount, bool_or(kind = 'grant') as is_grant
      from ledger_entries where kind in ('grant', 'adjustment') group by merchant_id, lot_id, transaction_uid
    ) e on e.merchant_id = l.merchant_id and e.lot_id = l.id and e.transaction_uid = l.transaction_uid
    where l.granted is distinct from e.amount and (l.id is not null or e.is_grant)`,
  'the lots of a completed top-up or sale add up to its entries': `
    select t.merchant_id, t.uid::text as subject,
      format('lots %s/%s/%s, entries %s/%s/%s', l.principal, l.bonus, l.points, e.principal, e.bonus, e.points) as found
    from transactions t
    left join (
      select merchant_id, transaction_uid, ${sumByPart('granted')} from lots group by merchant_id, transaction_uid
    ) l on l.merchant_id = t.merchant_id and l.transaction_uid = t.uid
    left join (
      select merchant_id, transaction_uid, ${sumByPart('amount')} from ledger_entries group by merchant_id, transaction_uid
    ) e on e.merchant_id = t.merchant_id and e.transaction_uid = t.uid
    where t.status = 'completed' and t.type in ('topUp', 'sale')
      and (coalesce(l.principal, 0), coalesce(l.bonus, 0), coalesce(l.points, 0))
        <> (coalesce(e.principal, 0), coalesce(e.bonus, 0), coalesce(e.points, 0))`,
  'an entry has the customer and the part of its lot': `
    select e.merchant_id, e.id::text as subject, format('%s of %s', e.part, e.customer_id) as found
    from ledger_entries e join lots l on l.merchant_id = e.merchant_id and l.id = e.lot_id
    where (e.customer_id, e.part) <> (l.customer_id, l.part)`,
  'an entry has the customer of its transaction': `
    select e.merchant_id, e.id::text as subject, format('%s, not %s', e.customer_id, t.customer_id) as found
    from ledger_entries e join transactions t on t.merchant_id = e.merchant_id and t.uid = e.transaction_uid
    where e.customer_id is distinct from t.customer_id`,
  'the entries of a voided transaction cancel out, but for recorded shortfalls': `
    select t.merchant_id, t.uid::text as subject,
      format('%s/%s/%s is left, %s points are owed', e.principal, e.bonus, e.points, t.points_shortfall) as found
    from transactions t left join (
      select merchant_id, transaction_uid, ${sumByPart('amount')} from ledger_entries group by merchant_id, transaction_uid
    ) e on e.merchant_id = t.merchant_id and e.transaction_uid = t.uid
    where t.status = 'voided'
      and (coalesce(e.principal, 0), coalesce(e.bonus, 0), coalesce(e.points, 0)) <> (0, 0, t.points_shortfall)`,
  'only a voided sale or adjustment owes points': `
    select merchant_id, uid::text as subject, format('%s %s owes %s', status, type, points_shortfall) as found
    from transactions where points_shortfall <> 0 and (status <> 'voided' or type is null or type not in ('sale', 'adjustment'))`,
  'a refused transaction, and an id voided unseen, move nothing': `
    select e.merchant_id, e.transaction_uid::text as subject, format('%s %s', t.status, t.type) as found
    from ledger_entries e join transactions t on t.merchant_id = e.merchant_id and t.uid = e.transaction_uid
    where t.status = 'refused' or t.type is null`,
  'a completed top-up or redemption has entries that add up to its amount': `
    select t.merchant_id, t.uid::text as subject,
      format('amount %s, entries %s', t.amount, case t.type when 'topUp' then e.principal else e.total end) as found
    from transactions t left join (
      select merchant_id, transaction_uid, sum(amount) as total, sum(amount) filter (where part = 'principal') as principal
      from ledger_entries group by merchant_id, transaction_uid
    ) e on e.merchant_id = t.merchant_id and e.transaction_uid = t.uid
    where t.status = 'completed' and t.type in ('topUp', 'redeemStoredValue', 'redeemPoints')
      and t.amount is distinct from abs(case t.type when 'topUp' then e.principal else e.total end)`,
  'every customer has a balance': `
    select c.merchant_id, c.id::text as subject, 'none' as found
    from customers c left join balances b on b.merchant_id = c.merchant_id and b.customer_id = c.id
    where b.customer_id is null`,
};

/** What is off in the ledger of all merchants; at most 100 findings for each rule. `sql` signs in as the owner. */
export async function verifyLedger(sql: postgres.Sql): Promise<Violation[]> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    // Sums of millions of groups, in memory rather than sorted on disk; this one connection's, until it is done.
    await tx`set local work_mem = '128MB'`;
    const violations: Violation[] = [];
    for (const [rule, query] of Object.entries(ledgerRules)) {
      // Planned for all its rows: for the first hundred, it would look for each by index, and find none.
      for (const row of await tx.unsafe(`with found as materialized (${query}) select * from found limit 100`)) {
        violations.push({ rule, merchantId: row.merchant_id, subject: row.subject, found: row.found });
      }
    }
    return violations;
  }) as Promise<Violation[]>;
}
