/** Staff for tests. */
import type postgres from 'postgres';
import { staffContext } from '@/server/domain/access/context';
import type { Services, StaffContext, StaffRole } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { createCallerFactory } from '@/server/trpc/staff/init';
import { staffRouter } from '@/server/trpc/staff/router';

/** Creates a person with that role at the merchant. */
export async function createStaff(
  owner: postgres.Sql,
  services: Services,
  merchantId: string,
  role: StaffRole = 'owner',
): Promise<StaffContext> {
  const userId = newId();
  const email = `${userId}@example.com`;
  const name = `Test ${role}`;
  await owner`insert into users ${owner({ id: userId, email, name, password_hash: 'none' })}`;
  await owner`insert into memberships ${owner({ merchant_id: merchantId, user_id: userId, role })}`;
  const memberships = [{ merchantId, merchantName: '', role }];
  const ctx = await staffContext(services, { userId, name, email, memberships }, merchantId);
  if (!ctx) throw new Error('the merchant does not exist');
  return ctx;
}

const createCaller = createCallerFactory(staffRouter);

/** The back office's procedures, called by that staff member, or with null signed out. */
export const callAs = (staff: StaffContext | null) => createCaller({ staff, reloadStaff: async () => staff });
