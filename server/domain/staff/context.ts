import { withMerchant } from '@/db/client';
import type { Merchant, Services } from '../core/context';
import { merchantColumns, toMerchant } from '../merchants/merchant-row';
import type { Staff, StaffRole } from './sign-in';

/** A request of a member of staff: who asks, in which role, for which merchant. */
export interface StaffContext extends Services {
  merchant: Merchant;
  staff: { userId: string; name: string; email: string; role: StaffRole };
}

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
  const [row] = await withMerchant(
    services.db,
    membership.merchantId,
    (tx) => tx.sql`select ${tx.sql.unsafe(merchantColumns)} from merchants where id = ${tx.merchantId}`,
  );
  if (!row) return null;
  const { userId, name, email } = person;
  return { ...services, merchant: toMerchant(row), staff: { userId, name, email, role: membership.role } };
}

function membershipOf({ memberships }: Staff, merchantId?: string | null) {
  return merchantId ? memberships.find((one) => one.merchantId === merchantId) : memberships[0];
}
