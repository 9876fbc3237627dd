import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { printLetter } from '@/server/gateways/letters';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createPerson, lettersTo, personOf, refusalOf, sessionOf } from '@/server/testing/people';
import { callAs, createStaff } from '@/server/testing/staff';
import type { StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { setDailySummary } from '../reports/daily-summary';
import { staffContext } from './context';
import { inviteStaff, resendInvitation } from './invite';
import { findInvitation, joinAsStaff } from './join';
import { changeRole, listStaff, removeStaff, setStores } from './memberships';
import { findStaff } from './sessions';

const database = sharedDatabase();
const services = () => testServices(database.db);

async function newTeam() {
  const merchant = await createMerchant(database.owner);
  const [north, south] = merchant.stores.map(({ id }) => id) as [string, string];
  const hire = (role: 'owner' | 'manager' | 'cashier', storeIds?: string[]) =>
    createStaff(database.owner, services(), merchant.id, role, storeIds);
  return { merchant, north, south, owner: await hire('owner'), hire };
}

/** The stores that a person sees at the session's next request. */
async function storesSeen(token: string): Promise<string[]> {
  const person = await findStaff(services(), token);
  const ctx = person && (await staffContext(services(), person));
  if (!ctx) throw new Error('the session has ended');
  return (await callAs(ctx).stores.list()).stores.map(({ storeId }) => storeId).sort();
}

const auditOf = ({ merchant }: StaffContext, action: string) => database.owner`
  select subject_id, before::json as before, after::json as after from audit_log
  where merchant_id = ${merchant.id} and action = ${action} order by id`;

test('a change of stores applies from the next request on, in a session that is open, and is audited', async () => {
  const { north, south, owner, hire } = await newTeam();
  const { staff } = await hire('manager');
  const token = await sessionOf(services(), staff.userId);
  const both = [north, south].sort();
  expect(await storesSeen(token)).toEqual(both);
  await setStores(owner, { userId: staff.userId, allStores: false, storeIds: [south, south] });
  await setStores(owner, { userId: staff.userId, allStores: false, storeIds: [south] });
  expect(await storesSeen(token)).toEqual([south]);
  await setStores(owner, { userId: staff.userId, allStores: false, storeIds: [north] });
  expect(await storesSeen(token)).toEqual([north]);
  await setStores(owner, { userId: staff.userId, allStores: true, storeIds: [north] });
  expect(await storesSeen(token)).toEqual(both);
  const subject = { subject_id: staff.userId };
  const [all, ofSouth, ofNorth] = [[], [south], [north]].map((storeIds) => ({
    allStores: storeIds.length === 0,
    storeIds,
  }));
  expect([...(await auditOf(owner, 'staff.setStores'))]).toEqual([
    { ...subject, before: all, after: ofSouth },
    { ...subject, before: ofSouth, after: ofNorth },
    { ...subject, before: ofNorth, after: all },
  ]);
});

test('the list shows the stores of each member and invitation', async () => {
  const { north, south, owner, hire } = await newTeam();
  await hire('cashier', [south]);
  await inviteStaff(owner, {
    email: `${newId()}@example.com`,
    role: 'manager',
    language: 'en',
    allStores: false,
    storeIds: [north],
  });
  const { members, invitations } = await listStaff(owner);
  expect(members.map(({ role, allStores, storeIds }) => [role, allStores, storeIds])).toEqual([
    ['owner', true, []],
    ['cashier', false, [south]],
  ]);
  expect(invitations).toMatchObject([{ allStores: false, storeIds: [north] }]);
});

test('owners work for all stores, and so does who becomes one', async () => {
  const { north, south, owner, hire } = await newTeam();
  const named = { allStores: false, storeIds: [north] };
  const refusal = await refusalOf(setStores(owner, { userId: owner.staff.userId, ...named }));
  expect(refusal).toMatchObject({ code: 'invalid_request', issues: [{ path: 'allStores' }] });
  const { staff } = await hire('manager', [south]);
  await changeRole(owner, { userId: staff.userId, role: 'owner' });
  expect(await storesSeen(await sessionOf(services(), staff.userId))).toEqual([north, south].sort());
  const invite = callAs(owner).staff.invite({ email: 'o@example.com', role: 'owner', language: 'en', ...named });
  await expect(invite).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('stores are the merchant’s own, and at least one is named', async () => {
  const { north, owner, hire } = await newTeam();
  const { staff } = await hire('cashier', [north]);
  const foreign = (await newTeam()).north;
  const change = { userId: staff.userId, allStores: false, storeIds: [north, foreign] };
  expect((await refusalOf(setStores(owner, change))).code).toBe('store_not_found');
  const invitation = { email: `${newId()}@example.com`, role: 'cashier', language: 'en' } as const;
  const inviting = inviteStaff(owner, { ...invitation, allStores: false, storeIds: [foreign] });
  expect((await refusalOf(inviting)).code).toBe('store_not_found');
  await expect(callAs(owner).staff.setStores({ ...change, storeIds: [] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(await storesSeen(await sessionOf(services(), staff.userId))).toEqual([north]);
});

test('an invited person works for the stores that the invitation names', async () => {
  const { merchant, south, owner } = await newTeam();
  const { userId, email } = await createPerson(database.owner);
  const invited = await inviteStaff(owner, {
    email,
    role: 'cashier',
    language: 'en',
    allStores: false,
    storeIds: [south],
  });
  const { link } = await resendInvitation(owner, { invitationId: invited.invitationId, language: 'en' });
  expect(await findInvitation(services(), link.split('/').at(-1) as string)).toMatchObject({
    storeNames: ['Store SOUTH'],
  });
  const letters = (await lettersTo(services(), email)).filter(({ kind }) => kind === 'invitation');
  expect(letters.map((letter) => printLetter(letter).lines[1])).toEqual([
    expect.stringContaining('as a cashier for Store SOUTH.'),
    expect.stringContaining('as a cashier for Store SOUTH.'),
  ]);
  const person = await personOf(services(), userId);
  await joinAsStaff(services(), person, { token: link.split('/').at(-1) as string });
  expect(await storesSeen(await sessionOf(services(), userId))).toEqual([south]);
  const ctx = await staffContext(services(), await personOf(services(), userId), merchant.id);
  expect(ctx?.staff).toMatchObject({ role: 'cashier', storeIds: [south] });
  await removeStaff(owner, { userId });
  const [left] = await database.owner`select count(*)::int as rows from membership_stores where user_id = ${userId}`;
  expect(left?.rows).toBe(0);
});

test('the daily summary, which is of all stores, ends with them', async () => {
  const { north, owner, hire } = await newTeam();
  const manager = await hire('manager');
  await setDailySummary(manager, { isOn: true, language: 'en' });
  await setStores(owner, { userId: manager.staff.userId, allStores: false, storeIds: [north] });
  const [row] = await database.owner`
    select summary_language from memberships where user_id = ${manager.staff.userId}`;
  expect(row?.summary_language).toBeNull();
});

test('of changes at the same moment, the last one holds as a whole', async () => {
  const { north, south, owner, hire } = await newTeam();
  const { staff } = await hire('manager');
  const changes = Array.from({ length: 12 }, (_, n) => ({
    userId: staff.userId,
    allStores: n % 3 === 0,
    storeIds: n % 3 === 1 ? [north] : [south],
  }));
  await Promise.all(changes.map((change) => setStores(owner, change)));
  const [member] = (await listStaff(owner)).members.filter(({ userId }) => userId === staff.userId);
  expect([[], [north], [south]]).toContainEqual(member?.storeIds);
  expect(member?.allStores).toBe(member?.storeIds.length === 0);
  const last = (await auditOf(owner, 'staff.setStores')).at(-1);
  expect(last?.after).toEqual({ allStores: member?.allStores, storeIds: member?.storeIds });
});
