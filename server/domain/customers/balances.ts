import type { Row } from 'postgres';
import type { Fragment } from '@/db/client';
import type { PosContext } from '../core/context';
import { requestedStoreCodeIfAny } from '../merchants/store';
import { customerCondition, customerNotFound } from './locate';
import type { Balances, Customer } from './schemas';

/**
 * A customer's campaign balances, by phone number (specification, section 4.2). Value past its time is not counted.
 * Errors: `customer_not_found`, `invalid_request` for what is no phone number.
 */
export function balancesByPhone(
  ctx: PosContext,
  input: { phone: string; storeCode?: string | undefined },
): Promise<Balances> {
  requestedStoreCodeIfAny(ctx, input.storeCode);
  return balances(ctx, customerCondition(ctx, { phone: input.phone }, 'phone'));
}

/** The same, by e-mail address. */
export function balancesByEmail(
  ctx: PosContext,
  input: { email: string; storeCode?: string | undefined },
): Promise<Balances> {
  requestedStoreCodeIfAny(ctx, input.storeCode);
  return balances(ctx, customerCondition(ctx, { email: input.email }));
}

async function balances(ctx: PosContext, condition: Fragment): Promise<Balances> {
  const { merchant } = ctx;
  const { sql } = ctx.db;
  const [row] = await sql`
    select c.*, exists (select from customer_pins p where p.merchant_id = m.id and p.customer_id = c.id) as has_pin, l.open_lots
    from set_tenant(${merchant.id}) m
    cross join lateral (
      select c.id, c.given_name, c.last_name, c.phone, c.email, c.birthday::text as birthday, c.joined_at
      from customers c where c.merchant_id = m.id and ${condition} limit 1
    ) c
    cross join lateral (
      select json_agg(json_build_array(part, amount, expires_at)) as open_lots
      from (
        select part, sum(remaining) as amount, expires_at from lots l
        where l.merchant_id = m.id and l.customer_id = c.id and l.open
          and (l.expires_at is null or l.expires_at > ${ctx.clock.now()})
        group by part, expires_at order by expires_at
      ) by_expiry
    ) l`;
  if (!row) throw customerNotFound();
  const lots: OpenLot[] = row.open_lots ?? [];
  const total = (part: OpenLot[0]) => lots.reduce((sum, lot) => (lot[0] === part ? sum + lot[1] : sum), 0);
  const principal = total('principal');
  const bonus = total('bonus');
  const points = total('points');
  return {
    customer: toCustomer(row),
    pinRequired: merchant.pinRequired,
    currency: merchant.currency,
    storedValue: {
      balance: principal + bonus,
      principal,
      bonus,
      expiring: lots.flatMap(([part, amount, at]) =>
        part === 'bonus' && at !== null ? [{ amount, expiresAt: new Date(at).toISOString() }] : [],
      ),
    },
    points: {
      balance: points,
      worth: points * merchant.pointValue,
      expiring: lots.flatMap(([part, amount, at]) =>
        part === 'points' && at !== null ? [{ points: amount, expiresAt: new Date(at).toISOString() }] : [],
      ),
    },
    vouchers: [],
  };
}

type OpenLot = ['principal' | 'bonus' | 'points', number, string | null];

export function toCustomer(row: Row): Customer {
  return {
    customerId: row.id,
    givenName: row.given_name,
    lastName: row.last_name,
    phone: row.phone,
    email: row.email,
    birthday: row.birthday,
    joinedAt: row.joined_at.toISOString(),
    hasPin: row.has_pin,
  };
}
