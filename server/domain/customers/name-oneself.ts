import { withMerchant } from '@/db/driver';
import { type DinerCustomer, lockCustomer } from '../identity';
import { auditChange } from '../kernel/audit';
import type { Services } from '../kernel/context';
import { changedFields, saveProfile } from './edit';
import type { OwnNameInput } from './schemas';

/**
 * Saves the name of a signed-in customer who has none, such as one from a file. A name that is there stays: staff may
 * know the person by it. Errors: `customer_not_found`.
 */
export function setOwnName(
  { db, clock }: Services,
  { merchant, customerId }: DinerCustomer,
  name: OwnNameInput,
): Promise<void> {
  const now = clock.now();
  return withMerchant(db, merchant.id, async (tx) => {
    const before = await lockCustomer(tx, customerId);
    if (before.givenName !== '' || before.lastName !== '') return;
    const profile = { ...before, ...name };
    const fields = changedFields(before, profile);
    const actor = { kind: 'diner', id: null } as const;
    await Promise.all([
      saveProfile(tx, merchant, { customerId, oldPhone: before.phone, profile, fields, now }),
      auditChange(tx, actor, 'customer.edit', { kind: 'customer', id: customerId }, now, { after: { fields } }),
    ]);
  });
}
