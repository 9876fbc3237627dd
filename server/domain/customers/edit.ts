import { isDeepStrictEqual } from 'node:util';
import { and, eq, type SQL } from 'drizzle-orm';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/driver';
import { type ProfileColumn, profileColumns, profileOf } from '@/db/kinds/lists';
import { customers } from '@/db/schema';
import { endSessions, lockCustomer, type Profile, sendCustomerEvents } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Merchant, StaffContext } from '../kernel/context';
import { checkRevision, revisionOf } from '../kernel/revision';
import { requireConfirmedFor } from '../merchants';
import { queueWarnings } from '../messaging';
import { checkProfile, fieldTaken } from './enrol';
import type { EditCustomerInput } from './schemas';
import { stakeIn } from './stake';

/** The revision of a customer's editable fields. */
export const profileRevision = (profile: Profile) => revisionOf(profileOf(profile));

/**
 * Edits a customer's profile. The audit names the changed fields, not their values. Errors: `customer_not_found`,
 * `edited_meanwhile`, `confirmation_required` for the phone number; `customer_exists`, `invalid_request` at the field.
 */
export async function editCustomer(
  ctx: StaffContext,
  { customerId, revision: opened, ...given }: EditCustomerInput,
): Promise<{ revision: string }> {
  const now = ctx.clock.now();
  const profile = checkProfile(ctx.merchant, given, now);
  const edited = withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await lockCustomer(tx, customerId);
    checkRevision(opened, profileRevision(before));
    const fields = changedFields(before, profile);
    if (fields.length === 0) return;
    if (fields.includes('phone')) await requireConfirmedFor(tx, ctx, await stakeIn(tx, customerId, now));
    await Promise.all([
      saveProfile(tx, ctx.merchant, { customerId, oldPhone: before.phone, profile, fields, now }),
      auditStaff(tx, ctx, 'customer.edit', { kind: 'customer', id: customerId }, { after: { fields } }),
    ]);
  });
  await edited.catch((error) => {
    if (isUniqueViolation(error, 'customers_phone')) throw fieldTaken('phone');
    if (isUniqueViolation(error, 'customers_email')) throw fieldTaken('email');
    throw error;
  });
  return { revision: profileRevision(profile) };
}

/** The fields in which two profiles differ. */
export const changedFields = (before: Profile, after: Profile): ProfileColumn[] =>
  profileColumns.filter((column) => !isDeepStrictEqual(before[column], after[column]));

interface ProfileChange {
  customerId: string;
  oldPhone: string | null;
  profile: Profile;
  /** Those that change. */
  fields: ProfileColumn[];
  now: Date;
}

/**
 * Saves a changed profile, with its event. A new phone number ends the customer's sessions, and the old one is told.
 * Requires the customer's lock.
 */
export async function saveProfile(
  tx: Tx,
  merchant: Merchant,
  { customerId, oldPhone, profile, fields, now }: ProfileChange,
): Promise<void> {
  const { merchantId, db } = tx;
  await releaseContacts(tx, customerId, profile);
  await Promise.all([
    db
      .update(customers)
      .set(profileOf(profile))
      .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId))),
    // Someone else may have the old phone now.
    ...(fields.includes('phone') ? [endSessions(tx, customerId)] : []),
    ...(fields.includes('phone') && oldPhone
      ? [queueWarnings(tx, merchant, 'phone-changed', { customerId, phones: [oldPhone], now })]
      : []),
    announceChange(tx, 'customers'),
  ]);
  await sendCustomerEvents(tx, merchant, { type: 'customer.updated', customerIds: [customerId], now });
}

/** Takes the phone number and e-mail address from the duplicates that were merged into the customer. */
async function releaseContacts({ merchantId, db }: Tx, customerId: string, { phone, email }: Profile) {
  const ofDuplicates = and(eq(customers.merchantId, merchantId), eq(customers.mergedInto, customerId));
  const release = (contact: { phone: null } | { email: null }, which: SQL) =>
    db.update(customers).set(contact).where(and(ofDuplicates, which));
  if (phone !== null) await release({ phone: null }, eq(customers.phone, phone));
  if (email !== null) await release({ email: null }, eq(customers.emailKey, email.toLowerCase()));
}
