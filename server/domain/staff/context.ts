import type { Services, StaffContext } from '../core/context';
import { findMerchant, inTimeOf } from '../merchants/merchant';
import type { Staff } from './sign-in';

/**
 * The context of a signed-in person. `merchantId` is the merchant that the page was made for: null where the person does
 * not work for it, so that a page left open never acts for another. Without it: the first that the person works for.
 */
export async function staffContext(
  services: Services,
  person: Staff,
  merchantId?: string | null,
): Promise<StaffContext | null> {
  const membership = membershipOf(person, merchantId);
  if (!membership) return null;
  const merchant = await findMerchant(services, membership.merchantId);
  if (!merchant) return null;
  const { userId, name, email } = person;
  return { ...inTimeOf(services, merchant), merchant, staff: { userId, name, email, role: membership.role } };
}

function membershipOf({ memberships }: Staff, merchantId?: string | null) {
  return merchantId ? memberships.find((one) => one.merchantId === merchantId) : memberships[0];
}
