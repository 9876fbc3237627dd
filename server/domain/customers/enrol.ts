import { and, desc, eq, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { profileOf } from '@/db/kinds/lists';
import { type Given, prepare } from '@/db/query/queries';
import { balances, customers } from '@/db/schema';
import { countForStaff, countSignUp, withStaffLimits } from '../daily-limits';
import {
  birthdayFields,
  type CustomerRef,
  isYearless,
  keptId,
  type Profile,
  sendCustomerEvents,
  toE164,
} from '../identity';
import { auditPos, auditStaff } from '../kernel/audit';
import { dateIn } from '../kernel/calendar';
import { announceChange } from '../kernel/changes';
import type { Merchant, PosContext, StaffContext, TransactionContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import type { EventSettings } from '../kernel/events';
import { newId } from '../kernel/ids';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import type { WriteFields } from '../kernel/schemas';
import type { Voucher } from '../kernel/voucher';
import { checkNamedStore } from '../merchants';
import { issueOnJoin } from '../vouchers';
import type { EnrolOutput } from './balance-schemas';
import type { EnrolInput } from './schemas';

/**
 * Enrols a customer with an empty balance. Errors: `customer_exists` with who has the phone number and the e-mail address, `invalid_request` for an
 * invalid phone number or birthday.
 */
export async function enrolCustomer(ctx: PosContext, input: EnrolInput): Promise<EnrolOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  await checkNamedStore(ctx, input.storeCode);
  const { givenName, lastName, phone = null, email = null, birthday = null, tags = [] } = input;
  const now = ctx.clock.now();
  const profile = checkProfile(ctx.merchant, { givenName, lastName, phone, email, birthday, tags }, now);
  const customer = { customerId: newId(), ...profile, joinedAt: now.toISOString(), hasPin: false };
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const existing = await insertCustomer(tx, ctx.merchant, customer, now);
    if (existing !== null) {
      throw new DomainError('customer_exists', say('contactTaken'), { ...existing });
    }
    const vouchersIssued = await issueForKey(tx, ctx, { customerId: customer.customerId, now });
    await auditPos(tx, ctx, 'customer.enrol', { kind: 'customer', id: customer.customerId }, input);
    return { ...customer, ...birthdayFields(profile.birthday), vouchersIssued };
  });
}

/**
 * Enrols a customer on behalf of staff. Errors: those of `enrolCustomer`, and `limit_exceeded` beyond what the person may
 * enrol in a day. `customer_exists` also names the field.
 */
export async function enrolByStaff(ctx: StaffContext, input: Profile): Promise<{ customerId: string }> {
  const now = ctx.clock.now();
  const profile = checkProfile(ctx.merchant, input, now);
  const customerId = newId();
  await withStaffLimits(ctx, () =>
    withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
      const existing = await insertCustomer(tx, ctx.merchant, { customerId, ...profile }, now);
      if (existing) throw fieldTaken(existing.field, existing.customerId);
      await issueOnJoin(tx, ctx.merchant, { customerId, now });
      await auditStaff(tx, ctx, 'customer.enrol', { kind: 'customer', id: customerId });
      await announceChange(tx, 'customers');
      await countForStaff(tx, ctx, 'enrolments', 1);
    }),
  );
  return { customerId };
}

/** Builds the error `customer_exists` at the field that another customer has. */
export function fieldTaken(field: 'phone' | 'email', customerId?: string): DomainError {
  const issues = [{ path: field, sentence: say('belongsToOther') }];
  return new DomainError(
    'customer_exists',
    say(field === 'phone' ? 'phoneTaken' : 'emailTaken'),
    { customerId },
    issues,
  );
}

/**
 * Normalizes a profile, or the fields of it that are given, for storage: the phone number in E.164. Errors:
 * `invalid_request` for an invalid phone number or birthday.
 */
export function checkProfile<Given extends Partial<Profile>>(merchant: Merchant, profile: Given, now: Date): Given {
  const { phone: given = null, birthday = null } = profile;
  const phone = given === null ? null : toE164(given, merchant.country, { strict: true });
  if (given !== null && phone === null) throw invalid('phone', say('notAPhone'));
  if (birthday !== null && !isYearless(birthday)) {
    if (birthday > dateIn(merchant, now)) throw invalid('birthday', say('inTheFuture'));
    if (birthday < '1900-01-01') throw invalid('birthday', say('before1900'));
  }
  return phone === null ? profile : { ...profile, phone };
}

/**
 * Enrols the customer of a sale by phone number or e-mail address, and issues the sign-up vouchers. Returns the
 * existing customer if one was enrolled in the meantime. Returns null for a `customerId`, which can't enrol anyone, and
 * for an invalid phone number of a sale that may be recorded without its customer.
 */
export async function enrolFromSale(
  tx: Tx,
  ctx: TransactionContext,
  ref: CustomerRef,
  { uid: saleUid, input }: { uid: string; input: WriteFields & { ifCustomerUnknown?: string | undefined } },
): Promise<{ customerId: string; vouchersIssued: Voucher[] } | null> {
  if (ref.phone === undefined && ref.email === undefined) return null;
  const phone = ref.phone === undefined ? null : toE164(ref.phone, ctx.merchant.country, { strict: true });
  if (ref.phone !== undefined && phone === null) {
    if (input.ifCustomerUnknown === 'recordWithout') return null;
    throw invalid('customer.phone', say('notAPhone'));
  }
  const now = ctx.clock.now();
  const customerId = newId();
  const guest = { givenName: 'Guest', lastName: '', phone, email: ref.email ?? null, birthday: null, tags: [] };
  const existing = await insertCustomer(tx, ctx.merchant, { customerId, ...guest }, now);
  if (existing !== null) return { customerId: existing.customerId, vouchersIssued: [] };
  await auditPos(tx, ctx, 'customer.enrol', { kind: 'customer', id: customerId }, input);
  return { customerId, vouchersIssued: await issueForKey(tx, ctx, { customerId, issuedBy: saleUid, now }) };
}

/**
 * Issues the sign-up vouchers, unless the key has reached its limit: the customer is enrolled all the same. Vouchers that wait for
 * a verified phone are not limited.
 */
async function issueForKey(
  tx: Tx,
  { merchant, apiKeyId }: Pick<TransactionContext, 'merchant' | 'apiKeyId'>,
  joining: { customerId: string; issuedBy?: string; now: Date },
): Promise<Voucher[]> {
  const isCounted = apiKeyId !== null && !merchant.signUpNeedsPhone;
  if (isCounted && !(await countSignUp(tx, merchant, apiKeyId, joining.now))) return [];
  return issueOnJoin(tx, merchant, joining);
}

interface Match {
  field: 'phone' | 'email';
  customerId: string;
}

/** The first match, and all: the phone's customer comes first. */
interface Existing extends Match {
  matches: Match[];
}

/**
 * Inserts a customer with an empty balance. Returns who exists already, if one or two have the phone number and the
 * e-mail address.
 */
export async function insertCustomer(
  tx: Tx,
  settings: EventSettings,
  customer: Profile & { customerId: string },
  now: Date,
): Promise<Existing | null> {
  const { merchantId, db } = tx;
  const { customerId } = customer;
  const inserted = await writeCustomer(db, { ...customer, merchantId, now });
  if (inserted.length === 1) {
    await openBalance(db, { merchantId, customerId });
    await sendCustomerEvents(tx, settings, { type: 'customer.enrolled', customerIds: [customerId], now });
    return null;
  }
  const existing = await findExisting(tx, customer);
  if (!existing) throw new Error('the customer in the way is gone');
  return existing;
}

/** Finds which others have a customer's phone number and e-mail address. */
export async function findExisting(
  { merchantId, db }: Tx,
  { customerId, phone, email }: Pick<Profile, 'phone' | 'email'> & { customerId: string },
): Promise<Existing | null> {
  const found = await findNamesakes(db, { merchantId, phone, emailKey: email?.toLowerCase() ?? null });
  const others = found.filter(({ id }) => id !== customerId);
  const matches = others.flatMap(({ id, hasPhone, hasEmail }) => [
    ...(hasPhone ? [{ field: 'phone' as const, customerId: id }] : []),
    ...(hasEmail ? [{ field: 'email' as const, customerId: id }] : []),
  ]);
  const [first] = matches;
  return first ? { customerId: first.customerId, field: first.field, matches } : null;
}

const writeCustomer = prepare((db, given: Given<Profile & { merchantId: string; customerId: string; now: Date }>) => {
  const { merchantId, customerId: id, now } = given;
  return db
    .insert(customers)
    .values({ merchantId, id, ...profileOf(given), joinedAt: now, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: customers.id });
});

const openBalance = prepare((db, { merchantId, customerId }: Given<{ merchantId: string; customerId: string }>) =>
  db.insert(balances).values({ merchantId, customerId }),
);

/** Finds the customers with the phone number and with the e-mail address; the former comes first. */
const findNamesakes = prepare(
  (db, given: Given<{ merchantId: string; phone: string | null; emailKey: string | null }>) => {
    const hasPhone = sql<boolean>`coalesce(${customers.phone} = ${given.phone}, false)`;
    const hasEmail = sql<boolean>`coalesce(${customers.emailKey} = ${given.emailKey}, false)`;
    return db
      .select({ id: keptId, hasPhone, hasEmail })
      .from(customers)
      .where(
        and(
          eq(customers.merchantId, given.merchantId),
          or(eq(customers.phone, given.phone), eq(customers.emailKey, given.emailKey)),
        ),
      )
      .orderBy(desc(hasPhone))
      .limit(2);
  },
);
