import { type Tx, withMerchant } from '@/db/client';
import { auditPos } from '../core/audit';
import { dateIn } from '../core/calendar';
import type { PosContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { newId } from '../core/ids';
import { checkOccurredAt } from '../core/occurred-at';
import { checkStore } from '../merchants/store';
import { issueOnJoin } from '../vouchers/issue';
import type { Voucher } from '../vouchers/schemas';
import { toE164 } from './phone';
import type { Customer, CustomerRef, EnrolInput } from './schemas';

/**
 * Adds a customer to the programme, with an empty balance. Errors: `customer_exists` with its `customerId`,
 * `invalid_request` for what is no phone number or no possible birthday.
 */
export async function enrol(ctx: PosContext, input: EnrolInput): Promise<Customer> {
  checkOccurredAt(input.occurredAt, ctx.clock.now());
  await checkStore(ctx, input.storeCode);
  const phone = input.phone === undefined ? null : toE164(input.phone, ctx.merchant.country, { strict: true });
  if (input.phone !== undefined && phone === null) throw invalid('phone', 'is not a valid phone number');
  const now = ctx.clock.now();
  checkBirthday(input.birthday, dateIn(ctx.merchant.timeZone, now));
  const customer: Customer = {
    customerId: newId(),
    givenName: input.givenName,
    lastName: input.lastName,
    phone,
    email: input.email ?? null,
    birthday: input.birthday ?? null,
    joinedAt: now.toISOString(),
    hasPin: false,
  };
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const existing = await insertCustomer(tx, customer, now);
    if (existing === null) await issueOnJoin(tx, ctx.merchant, { customerId: customer.customerId, now });
    else {
      const message = 'Another customer has this phone number or e-mail address.';
      throw new DomainError('customer_exists', message, { customerId: existing });
    }
    await auditPos(tx, ctx, 'customer.enrol', { kind: 'customer', id: customer.customerId }, input);
  });
  return customer;
}

function checkBirthday(birthday: string | undefined, today: string): void {
  if (birthday === undefined) return;
  if (birthday > today) throw invalid('birthday', 'is in the future');
  if (birthday < '1900-01-01') throw invalid('birthday', 'is before 1900');
}

/**
 * Makes a customer of a phone number or e-mail address that came with a sale, and issues the vouchers for joining. One
 * who was enrolled meanwhile is that one; null for a customerId, which nobody can be enrolled by.
 */
export async function enrolFromSale(
  tx: Tx,
  ctx: PosContext,
  ref: CustomerRef,
  saleUid: string,
): Promise<{ customerId: string; vouchersIssued: Voucher[] } | null> {
  if (ref.phone === undefined && ref.email === undefined) return null;
  const phone = ref.phone === undefined ? null : toE164(ref.phone, ctx.merchant.country, { strict: true });
  if (ref.phone !== undefined && phone === null) throw invalid('customer.phone', 'is not a valid phone number');
  const now = ctx.clock.now();
  const customerId = newId();
  const customer: Customer = {
    customerId,
    givenName: 'Guest',
    lastName: '',
    phone,
    email: ref.email ?? null,
    birthday: null,
    joinedAt: now.toISOString(),
    hasPin: false,
  };
  const existing = await insertCustomer(tx, customer, now);
  if (existing !== null) return { customerId: existing, vouchersIssued: [] };
  await auditPos(tx, ctx, 'customer.enrol', { kind: 'customer', id: customerId }, {});
  return { customerId, vouchersIssued: await issueOnJoin(tx, ctx.merchant, { customerId, issuedBy: saleUid, now }) };
}

/** Writes a customer and the empty balance; answers who has the phone number or e-mail address already, if someone has. */
async function insertCustomer({ merchantId, sql }: Tx, customer: Customer, now: Date): Promise<string | null> {
  const { customerId, givenName, lastName, phone, email, birthday } = customer;
  const { count } = await sql`
    insert into customers (merchant_id, id, given_name, last_name, phone, email, birthday, joined_at, created_at)
    values (${merchantId}, ${customerId}, ${givenName}, ${lastName}, ${phone}, ${email}, ${birthday}, ${now}, ${now})
    on conflict do nothing`;
  if (count === 1) {
    await sql`insert into balances (merchant_id, customer_id) values (${merchantId}, ${customerId})`;
    return null;
  }
  const [existing] = await sql`
    select id from customers
    where merchant_id = ${merchantId} and (phone = ${phone} or email_key = ${email?.toLowerCase() ?? null}) limit 1`;
  return existing?.id;
}
