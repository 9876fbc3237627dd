import { withMerchant } from '@/db/client';
import type { Merchant, Services } from '../core/context';
import { DomainError } from '../core/errors';
import { merchantColumns, toMerchant } from '../merchants/merchant-row';
import type { Staff, StaffRole } from './sign-in';

/** A request of a member of staff: who asks, in which role, for which merchant. */
export interface StaffContext extends Services {
  merchant: Merchant;
  staff: { userId: string; name: string; role: StaffRole };
}

/** The context of a signed-in person, for the first merchant that the person works for; null where there is none. */
export async function staffContext(services: Services, person: Staff): Promise<StaffContext | null> {
  const [membership] = person.memberships;
  if (!membership) return null;
  const [row] = await withMerchant(
    services.db,
    membership.merchantId,
    ({ merchantId, sql }) => sql`select ${sql.unsafe(merchantColumns)} from merchants where id = ${merchantId}`,
  );
  if (!row) return null;
  const { userId, name } = person;
  return { ...services, merchant: toMerchant(row), staff: { userId, name, role: membership.role } };
}

/** Errors: `role_forbidden` for whoever is none of `roles`. */
export function requireRole({ staff }: StaffContext, ...roles: StaffRole[]): void {
  if (roles.includes(staff.role)) return;
  throw new DomainError('role_forbidden', 'Your role does not allow this. Ask an owner of the business.', {
    role: staff.role,
  });
}
