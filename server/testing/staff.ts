/** Staff for tests. */
import type { Sql } from '@/db/driver';
import { staffContext } from '@/server/domain/access/context';
import type { Services, StaffContext, StaffRole } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { createCallerFactory } from '@/server/trpc/staff/init';
import { staffRouter } from '@/server/trpc/staff/router';

/** Creates a person with that role at the merchant, for all stores or for named ones. */
export async function createStaff(
  owner: Sql,
  services: Services,
  merchantId: string,
  role: StaffRole = 'owner',
  storeIds: string[] | null = null,
): Promise<StaffContext> {
  const userId = newId();
  const email = `${userId}@example.com`;
  const name = `Test ${role}`;
  await owner`insert into users ${owner({ id: userId, email, name, password_hash: 'none' })}`;
  const membership = { merchant_id: merchantId, user_id: userId };
  await owner`insert into memberships ${owner({ ...membership, role, all_stores: storeIds === null })}`;
  for (const store_id of storeIds ?? [])
    await owner`insert into membership_stores ${owner({ ...membership, store_id })}`;
  const memberships = [{ merchantId, merchantName: '', role, storeIds, secondFactorFrom: null }];
  const ctx = await staffContext(services, { userId, name, email, memberships, confirmedAt: new Date() }, merchantId);
  if (!ctx) throw new Error('the merchant does not exist');
  return ctx;
}

const createCaller = createCallerFactory(staffRouter);

/** The back office's procedures, called by that staff member, or signed out with null. */
export const callAs = (staff: StaffContext | null) => createCaller({ staff, reloadStaff: async () => staff });
