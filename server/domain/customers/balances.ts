import type { Row } from 'postgres';
import type { PosContext } from '../core/context';
import { together } from '../core/together';
import { openStore, requestedStoreCodeIfAny, storeNotFound } from '../merchants/store';
import { pointsBalance } from '../points/rules';
import { toVoucher } from '../vouchers/issue';
import type { Balances } from './balance-schemas';
import { type CustomerKeyKind, customerCondition, customerKey, customerNotFound } from './locate';
import type { Customer } from './schemas';

/**
 * A customer's campaign balances, by phone number (specification, section 4.2). Value past its time is not counted.
 * Errors: `customer_not_found`, `store_forbidden`, `store_not_found`, `invalid_request` for what is no phone number.
 */
export async function balancesByPhone(
  ctx: PosContext,
  input: { phone: string; storeCode?: string | undefined },
): Promise<Balances> {
  const storeCode = requestedStoreCodeIfAny(ctx, input.storeCode);
  return balances(ctx, customerKey(ctx, { phone: input.phone }, 'phone'), storeCode);
}

/** The same, by e-mail address. */
export async function balancesByEmail(
  ctx: PosContext,
  input: { email: string; storeCode?: string | undefined },
): Promise<Balances> {
  const storeCode = requestedStoreCodeIfAny(ctx, input.storeCode);
  return balances(ctx, customerKey(ctx, { email: input.email }), storeCode);
}

/** The same, for staff: also of one whose personal data was erased. */
export function balancesById(ctx: BalancesContext, customerId: string): Promise<Balances> {
  return balances(ctx, { kind: 'anyId', key: customerId }, null);
}

type BalancesContext = Pick<PosContext, 'db' | 'clock' | 'merchant'>;

/** Without a store, the vouchers are those of every store. */
async function balances(
  ctx: BalancesContext,
  { kind, key }: { kind: CustomerKeyKind; key: string },
  storeCode: string | null,
): Promise<Balances> {
  const row = await readTogether(ctx, kind, { key, storeCode, now: ctx.clock.now().toISOString() });
  if (storeCode !== null && !row.store_id) throw storeNotFound(storeCode);
  if (!row.id) throw customerNotFound();
  return toBalances(ctx, row);
}

interface Question {
  key: string;
  storeCode: string | null;
  now: string;
}

/** All of it in one statement. */
const readTogether = together(
  async (ctx: BalancesContext, kind: CustomerKeyKind, questions: Question[]): Promise<Row[]> => {
    const { reads: sql } = ctx.db;
    const all = <Name extends keyof Question>(name: Name) => questions.map((question) => question[name]);
    return sql`
    select s.id as store_id, c.*, p.has_pin, l.open_lots, v.vouchers
    from set_tenant(${ctx.merchant.id}) m
    cross join unnest(${all('key')}::text[], ${all('storeCode')}::text[], ${all('now')}::timestamptz[])
      with ordinality q (key, store_code, now, n)
    ${openStore(sql, sql`q.store_code`)}
    left join lateral (
      select c.id, c.given_name, c.last_name, c.phone, c.email, c.birthday::text as birthday, c.joined_at
      from customers c where c.merchant_id = m.id and ${customerCondition(sql, kind, sql`q.key`)} limit 1
    ) c on true
    left join lateral (
      select true as has_pin from customer_pins where merchant_id = m.id and customer_id = c.id limit 1
    ) p on true
    left join lateral (
      select json_agg(json_build_array(part, amount, expires_at)) as open_lots
      from (
        select part, sum(remaining) as amount, expires_at from lots
        where merchant_id = m.id and customer_id = c.id and open and (expires_at is null or expires_at > q.now)
        group by part, expires_at order by expires_at
      ) by_expiry
    ) l on true
    left join lateral (
      select json_agg(usable) as vouchers from (
        select v.voucher_code, v.issued_at, v.expires_at, a.name, a.unit, a.value, a.plus, a.min_spend, a.max_discount,
          a.max_units, a.stackable
        from vouchers v join voucher_campaigns a on a.merchant_id = v.merchant_id and a.id = v.campaign_id
        where v.merchant_id = m.id and v.customer_id = c.id and v.redeemed_at is null and v.cancelled_at is null
          and (v.expires_at is null or v.expires_at > q.now) and (a.valid_from is null or a.valid_from <= q.now)
          and (a.all_stores or s.id is null or exists (
            select from voucher_campaign_stores x
            where x.merchant_id = m.id and x.campaign_id = a.id and x.store_id = s.id))
        order by v.expires_at nulls last, v.id limit 200
      ) usable
    ) v on true
    order by q.n`;
  },
);

type OpenLot = ['principal' | 'bonus' | 'points', amount: number, expiresAt: string | null];

function toBalances({ merchant }: BalancesContext, row: Row): Balances {
  const lots: OpenLot[] = row.open_lots ?? [];
  const total = (part: OpenLot[0]) => lots.reduce((sum, lot) => (lot[0] === part ? sum + lot[1] : sum), 0);
  const expiring = (part: OpenLot[0]) =>
    lots.flatMap(([of, amount, at]) =>
      of === part && at !== null ? [{ amount, expiresAt: new Date(at).toISOString() }] : [],
    );
  const principal = total('principal');
  const bonus = total('bonus');
  return {
    customer: toCustomer(row),
    pinRequired: merchant.pinRequired,
    currency: merchant.currency,
    storedValue: { balance: principal + bonus, principal, bonus, expiring: expiring('bonus') },
    points: {
      ...pointsBalance(total('points'), merchant),
      pointValue: merchant.pointValue,
      minRedeemPoints: merchant.minRedeemPoints,
      expiring: expiring('points').map(({ amount, expiresAt }) => ({ points: amount, expiresAt })),
    },
    vouchers: (row.vouchers ?? []).map(toVoucher),
  };
}

function toCustomer(row: Row): Customer {
  return {
    customerId: row.id,
    givenName: row.given_name,
    lastName: row.last_name,
    phone: row.phone,
    email: row.email,
    birthday: row.birthday,
    joinedAt: row.joined_at.toISOString(),
    hasPin: row.has_pin === true,
  };
}
