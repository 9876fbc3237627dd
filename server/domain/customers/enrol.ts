import { and, desc, eq, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { only } from '@/db/queries';
import { balances, customers } from '@/db/schema';
import { auditPos, auditStaff } from '../core/audit';
import { dateIn } from '../core/calendar';
import { announce } from '../core/changes';
import type { Merchant, PosContext, StaffContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { newId } from '../core/ids';
import { checkOccurredAt } from '../core/occurred-at';
import type { WriteFields } from '../core/schemas';
import { checkNamedStore } from '../merchants/store';
import { issueOnJoin } from '../vouchers/issue';
import type { Voucher } from '../vouchers/schemas';
import type { EnrolOutput } from './balance-schemas';
import { toE164 } from './phone';
import type { Customer, CustomerRef, EnrolInput, ProfileInput } from './schemas';

/**
 * Enrols a customer with an empty balance. Errors: `customer_exists` with its `customerId`, `invalid_request` for an
 * invalid phone number or birthday.
 */
export async function enrol(ctx: PosContext, input: EnrolInput): Promise<EnrolOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now());
  await checkNamedStore(ctx, input.storeCode);
  const { givenName, lastName, phone = null, email = null, birthday = null } = input;
  const now = ctx.clock.now();
  const profile = checkProfile(ctx.merchant, { givenName, lastName, phone, email, birthday }, now);
  const customer: Customer = { customerId: newId(), ...profile, joinedAt: now.toISOString(), hasPin: false };
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const existing = await insertCustomer(tx, customer, now);
    if (existing !== null) {
      const message = 'Another customer has this phone number or e-mail address.';
      throw new DomainError('customer_exists', message, { customerId: existing.customerId });
    }
    const vouchersIssued = await issueOnJoin(tx, ctx.merchant, { customerId: customer.customerId, now });
    await auditPos(tx, ctx, 'customer.enrol', { kind: 'customer', id: customer.customerId }, input);
    return { ...customer, vouchersIssued };
  });
}

/** Enrols a customer on behalf of staff. `customer_exists` also names the field. */
export async function enrolByHand(ctx: StaffContext, input: ProfileInput): Promise<{ customerId: string }> {
  const now = ctx.clock.now();
  const profile = checkProfile(ctx.merchant, input, now);
  const customerId = newId();
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const existing = await insertCustomer(tx, { customerId, ...profile }, now);
    if (existing) throw fieldTaken(existing.field, existing.customerId);
    await issueOnJoin(tx, ctx.merchant, { customerId, now });
    await auditStaff(tx, ctx, 'customer.enrol', { kind: 'customer', id: customerId });
    await announce(tx, 'customers');
  });
  return { customerId };
}

/** Builds the error `customer_exists` at the field that another customer has. */
export function fieldTaken(field: 'phone' | 'email', customerId?: string): DomainError {
  const name = field === 'phone' ? 'phone number' : 'e-mail address';
  const issues = [{ path: field, message: 'belongs to another customer' }];
  return new DomainError('customer_exists', `Another customer has this ${name}.`, { customerId }, issues);
}

/**
 * Normalizes a profile for storage, with the phone number in E.164. Errors: `invalid_request` for an invalid phone
 * number or birthday.
 */
export function checkProfile(merchant: Merchant, profile: ProfileInput, now: Date): ProfileInput {
  const { phone: given, birthday } = profile;
  const phone = given === null ? null : toE164(given, merchant.country, { strict: true });
  if (given !== null && phone === null) throw invalid('phone', 'is not a valid phone number');
  if (birthday !== null && birthday > dateIn(merchant.timeZone, now)) throw invalid('birthday', 'is in the future');
  if (birthday !== null && birthday < '1900-01-01') throw invalid('birthday', 'is before 1900');
  return { ...profile, phone };
}

/**
 * Enrols the customer of a sale by phone number or e-mail address, and issues the sign-up vouchers. Returns an existing
 * customer if one was enrolled meanwhile, and null for a customerId, which can't enrol anyone.
 */
export async function enrolFromSale(
  tx: Tx,
  ctx: PosContext,
  ref: CustomerRef,
  { uid: saleUid, input }: { uid: string; input: WriteFields },
): Promise<{ customerId: string; vouchersIssued: Voucher[] } | null> {
  if (ref.phone === undefined && ref.email === undefined) return null;
  const phone = ref.phone === undefined ? null : toE164(ref.phone, ctx.merchant.country, { strict: true });
  if (ref.phone !== undefined && phone === null) throw invalid('customer.phone', 'is not a valid phone number');
  const now = ctx.clock.now();
  const customerId = newId();
  const guest = { givenName: 'Guest', lastName: '', phone, email: ref.email ?? null, birthday: null };
  const existing = await insertCustomer(tx, { customerId, ...guest }, now);
  if (existing !== null) return { customerId: existing.customerId, vouchersIssued: [] };
  await auditPos(tx, ctx, 'customer.enrol', { kind: 'customer', id: customerId }, input);
  return { customerId, vouchersIssued: await issueOnJoin(tx, ctx.merchant, { customerId, issuedBy: saleUid, now }) };
}

/** Inserts a customer with an empty balance. If a customer already has the phone or e-mail, returns that one. */
export async function insertCustomer(
  { merchantId, db }: Tx,
  { customerId, givenName, lastName, phone, email, birthday }: ProfileInput & { customerId: string },
  now: Date,
): Promise<{ customerId: string; field: 'phone' | 'email' } | null> {
  const inserted = await db
    .insert(customers)
    .values({ merchantId, id: customerId, givenName, lastName, phone, email, birthday, joinedAt: now, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: customers.id });
  if (inserted.length === 1) {
    await db.insert(balances).values({ merchantId, customerId });
    return null;
  }
  const hasPhone = sql<boolean>`${customers.phone} is not distinct from ${phone}`;
  const hasEmail = eq(customers.emailKey, sql`${email?.toLowerCase() ?? null}`);
  const existing = only(
    await db
      .select({ id: customers.id, hasPhone })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), or(eq(customers.phone, sql`${phone}`), hasEmail)))
      .orderBy(desc(hasPhone))
      .limit(1),
  );
  return { customerId: existing.id, field: existing.hasPhone ? 'phone' : 'email' };
}
