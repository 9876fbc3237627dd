import { limitToStores } from '@/db/client';
import type { Services, StaffContext } from '../kernel/context';
import { findMerchant, withMerchantClock } from '../merchants';
import type { Staff } from './sessions';

/**
 * Builds the context of a signed-in person. With `merchantId`, the merchant that the page shows, returns null if the
 * person is not a member, so that an open page never acts for another merchant. Without it, uses the person's first
 * merchant. The context's database shows those who work for named stores no rows of others.
 */
export async function staffContext(
  services: Services,
  person: Omit<Staff, 'sessionId'>,
  merchantId?: string | null,
): Promise<StaffContext | null> {
  const membership = membershipOf(person, merchantId);
  if (!membership) return null;
  const merchant = await findMerchant(services, membership.merchantId);
  if (!merchant) return null;
  const { userId, name, email, confirmedAt } = person;
  const { role, storeIds, secondFactorFrom } = membership;
  const db = storeIds === null ? services.db : limitToStores(services.db, storeIds);
  const staff = { userId, name, email, role, storeIds, confirmedAt, secondFactorFrom };
  return { ...withMerchantClock(services, merchant), db, merchant, staff };
}

function membershipOf({ memberships }: Pick<Staff, 'memberships'>, merchantId?: string | null) {
  return merchantId ? memberships.find((one) => one.merchantId === merchantId) : memberships[0];
}
