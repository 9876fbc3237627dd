import { and, eq } from 'drizzle-orm';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/driver';
import { profileColumns, profileOf } from '@/db/kinds/lists';
import { only } from '@/db/query/queries';
import { customers } from '@/db/schema';
import {
  type Customer,
  customerCondition,
  customerNotFound,
  guessPin,
  keptId,
  lockCustomer,
  type Profile,
  pinMissing,
  readCustomers,
} from '../identity';
import { auditPos } from '../kernel/audit';
import type { PosContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { checkNamedStore } from '../merchants';
import { changedFields, saveProfile } from './edit';
import { checkProfile, findExisting } from './enrol';
import type { UpdateCustomerInput } from './schemas';

/**
 * Changes the sent fields of a customer's profile; of a merged customer, the kept one's. A phone number finds its
 * customer at the till, so the PIN has to prove who asks for another, even where redemptions need none. Errors:
 * `customer_not_found`, `customer_exists` as enrolment says, `pin_*`, `invalid_request` at the field.
 */
export async function updateCustomer(ctx: PosContext, input: UpdateCustomerInput): Promise<Customer> {
  const now = ctx.clock.now();
  checkOccurredAt(input.occurredAt, now, ctx.merchant);
  await checkNamedStore(ctx, input.storeCode);
  const given = checkProfile(ctx.merchant, givenFields(input), now);
  const update = () => withMerchant(ctx.db, ctx.merchant.id, (tx) => changeProfile(tx, ctx, input, { given, now }));
  const outcome = await update().catch((error) => {
    const isTaken = isUniqueViolation(error, 'customers_phone') || isUniqueViolation(error, 'customers_email');
    if (!isTaken) throw error;
    // Another customer got it at this moment, and is found now.
    return update();
  });
  if (outcome instanceof DomainError) throw outcome;
  return outcome;
}

const givenFields = (input: UpdateCustomerInput): Partial<Profile> =>
  Object.fromEntries(
    profileColumns.flatMap((column) => (input[column] === undefined ? [] : [[column, input[column]]])),
  );

/** Returns a refusal, to be thrown once the count of PIN guesses is committed. */
async function changeProfile(
  tx: Tx,
  ctx: PosContext,
  input: UpdateCustomerInput,
  { given, now }: { given: Partial<Profile>; now: Date },
): Promise<Customer | DomainError> {
  const customerId = await findKept(tx, input.customerId);
  const before = await lockCustomer(tx, customerId);
  if (given.phone !== undefined && input.pin === undefined) return pinMissing();
  if (input.pin !== undefined) {
    // A wrong PIN is refused even if the change needs none: the till that sent it believes that it was checked.
    const refusal = await guessPin(tx, ctx, customerId, input.pin);
    if (refusal) return refusal;
  }
  const profile = profileOf({ ...before, ...given });
  const fields = changedFields(before, profile);
  if (fields.length > 0) {
    const { phone, email } = profile;
    if (phone === null && email === null)
      return invalid(given.phone === null ? 'phone' : 'email', say('contactMissingInAll'));
    const existing = await findExisting(tx, { customerId, phone, email });
    if (existing) return new DomainError('customer_exists', say('contactTaken'), { ...existing });
    await Promise.all([
      saveProfile(tx, ctx.merchant, { customerId, oldPhone: before.phone, profile, fields, now }),
      auditPos(tx, ctx, 'customer.edit', { kind: 'customer', id: customerId }, input, { after: { fields } }),
    ]);
  }
  return only(await readCustomers(tx, [customerId]));
}

async function findKept({ merchantId, db }: Tx, customerId: string): Promise<string> {
  const [found] = await db
    .select({ id: keptId })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), customerCondition('id', customerId)));
  if (!found) throw customerNotFound();
  return found.id;
}
