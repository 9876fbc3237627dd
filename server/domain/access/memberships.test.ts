import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { newId } from '@/server/domain/kernel/ids';
import { createMerchant, testServices } from '@/server/testing/factory';
import { personOf, refusalOf } from '@/server/testing/people';
import { createStaff } from '@/server/testing/staff';
import type { StaffContext } from '../kernel/context';
import { staffContext } from './context';
import { inviteStaff } from './invite';
import { changeRole, listStaff, removeStaff } from './memberships';

const database = sharedDatabase();
const services = () => testServices(database.db);

async function newTeam() {
  const { id } = await createMerchant(database.owner);
  const hire = (role: 'owner' | 'manager' | 'cashier') => createStaff(database.owner, services(), id, role);
  return { merchantId: id, owner: await hire('owner'), hire };
}

const idOf = ({ staff: { userId } }: StaffContext) => ({ userId });

test('the list shows everyone with their role, owners first, and open invitations', async () => {
  const { owner, hire } = await newTeam();
  const [cashier, manager] = [await hire('cashier'), await hire('manager')];
  await inviteStaff(owner, { email: 'soon@example.com', role: 'manager', language: 'en' });
  const { members, invitations } = await listStaff(owner);
  expect(members.map(({ userId, role, isYou }) => [userId, role, isYou])).toEqual([
    [owner.staff.userId, 'owner', true],
    [manager.staff.userId, 'manager', false],
    [cashier.staff.userId, 'cashier', false],
  ]);
  expect(invitations).toMatchObject([{ email: 'soon@example.com', role: 'manager', isExpired: false }]);
});

test('an undelivered mail is shown at its invitation', async () => {
  const { owner } = await newTeam();
  await inviteStaff(owner, { email: 'away@example.com', role: 'cashier', language: 'en' });
  expect((await listStaff(owner)).invitations).toMatchObject([{ isUndelivered: false }]);
  await database.owner`update mails set state = 'failed', letter = null where recipient = 'away@example.com'`;
  expect((await listStaff(owner)).invitations).toMatchObject([{ isUndelivered: true }]);
});

test('a role applies from the next request on, and is audited without a name', async () => {
  const { owner, hire } = await newTeam();
  const { staff } = await hire('cashier');
  await changeRole(owner, { userId: staff.userId, role: 'manager' });
  await changeRole(owner, { userId: staff.userId, role: 'manager' });
  const person = await personOf(services(), staff.userId);
  expect((await staffContext(services(), person))?.staff.role).toBe('manager');
  const audited = await database.owner`
    select actor_id, action, subject_id, before::json as before, after::json as after from audit_log where merchant_id = ${owner.merchant.id} and action <> 'staff.signIn'`;
  expect([...audited]).toEqual([
    {
      actor_id: owner.staff.userId,
      action: 'staff.role',
      subject_id: staff.userId,
      before: { role: 'cashier' },
      after: { role: 'manager' },
    },
  ]);
});

test('a removed member has no access from the next request on, and keeps the account', async () => {
  const { owner, merchantId, hire } = await newTeam();
  const cashier = await hire('cashier');
  await removeStaff(owner, idOf(cashier));
  const person = await personOf(services(), cashier.staff.userId);
  expect(await staffContext(services(), person, merchantId)).toBeNull();
  expect((await refusalOf(removeStaff(owner, idOf(cashier)))).code).toBe('staff_not_found');
});

test('no one can remove or demote the last owner', async () => {
  const { owner, hire } = await newTeam();
  await hire('manager');
  expect((await refusalOf(removeStaff(owner, idOf(owner)))).code).toBe('last_owner');
  expect((await refusalOf(changeRole(owner, { ...idOf(owner), role: 'manager' }))).code).toBe('last_owner');
  await changeRole(owner, { ...idOf(owner), role: 'owner' });
  const second = await hire('owner');
  await changeRole(second, { ...idOf(owner), role: 'cashier' });
  expect((await refusalOf(removeStaff(second, idOf(second)))).code).toBe('last_owner');
});

test('two owners remove each other at once: one of them stays', async () => {
  for (let round = 0; round < 8; round++) {
    const { owner, hire } = await newTeam();
    const second = await hire('owner');
    const outcomes = await Promise.allSettled([
      round % 2 ? removeStaff(owner, idOf(second)) : changeRole(owner, { ...idOf(second), role: 'manager' }),
      removeStaff(second, idOf(owner)),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = (await listStaff(owner)).members.filter(({ role }) => role === 'owner');
    expect(left).toHaveLength(1);
  }
});

test('another merchant’s members are not found', async () => {
  const [here, there] = [await newTeam(), await newTeam()];
  const stranger = await there.hire('cashier');
  for (const key of [idOf(stranger), { userId: newId() }]) {
    expect((await refusalOf(changeRole(here.owner, { ...key, role: 'owner' }))).code).toBe('staff_not_found');
    expect((await refusalOf(removeStaff(here.owner, key))).code).toBe('staff_not_found');
  }
  expect((await listStaff(there.owner)).members).toHaveLength(2);
});
