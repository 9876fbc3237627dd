import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { exports } from '@/server/csv/exports';
import { fiveOff } from '@/server/testing/campaigns';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { type Actor, auditChange, auditPos } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';

const database = sharedDatabase();
let merchant: TestMerchant;
let manager: StaffContext;

beforeEach(async () => {
  merchant = await createMerchant(database.owner);
  manager = await createStaff(database.owner, testServices(database.db), merchant.id, 'manager');
});

const list = (input: Parameters<ReturnType<typeof callAs>['auditLog']['list']>[0] = {}) =>
  callAs(manager).auditLog.list(input);
const write = (actor: Actor, action: string, subjectId: string, at = new Date()) =>
  withMerchant(database.db, merchant.id, (tx) => auditChange(tx, actor, action, { kind: 'thing', id: subjectId }, at));
const staff = (): Actor => ({ kind: 'staff', id: manager.staff.userId });
const service: Actor = { kind: 'service', id: null };

test('records who did what, with the values before and after', async () => {
  await callAs(manager).stores.change({ storeId: merchant.stores[0].id, name: 'Renamed' });
  expect((await list()).items).toMatchObject([
    {
      actor: { kind: 'staff', id: manager.staff.userId, name: 'Test manager' },
      action: 'store.change',
      subject: { kind: 'store', id: merchant.stores[0].id, name: 'Renamed' },
      before: { storeCode: 'NORTH', name: 'Store NORTH' },
      after: { storeCode: 'NORTH', name: 'Renamed' },
    },
  ]);
});

test('records changes of campaigns, and of the order of packages and categories', async () => {
  const { campaigns, packages, menu } = callAs(manager);
  const { campaignId } = await campaigns.create(fiveOff);
  const { revision } = await campaigns.get({ campaignId });
  await campaigns.update({ campaignId, revision, campaign: { ...fiveOff, value: 900 } });
  const terms = { kind: 'fixed', amount: 10_000, bonusAmount: 0, bonusExpiresInDays: null } as const;
  const anywhere = { allStores: true, storeIds: [], validFrom: null, validUntil: null };
  const [p, q] = [
    (await packages.create({ ...terms, ...anywhere, name: 'P' })).packageId,
    (await packages.create({ ...terms, ...anywhere, name: 'Q' })).packageId,
  ];
  await packages.reorder({ packageIds: [q, p] });
  const [a, b] = [
    (await menu.createCategory({ name: 'A' })).categoryId,
    (await menu.createCategory({ name: 'B' })).categoryId,
  ];
  await menu.orderCategories({ categoryIds: [b, a] });
  const changes = (await list()).items.filter(({ action }) => !action.endsWith('.create'));
  expect(changes).toMatchObject([
    { action: 'menuCategory.order', before: { categoryIds: [a, b] }, after: { categoryIds: [b, a] } },
    {
      action: 'package.reorder',
      before: { packageIds: [p, q] },
      after: { packageIds: [q, p] },
      names: { [p]: 'P', [q]: 'Q' },
    },
    { action: 'campaign.update', before: fiveOff, after: { ...fiveOff, value: 900 } },
  ]);
});

test('names keys, shows no name for the service, and still names people who left', async () => {
  const till = await authenticateKey(testServices(database.db), merchant.key);
  await withMerchant(database.db, merchant.id, (tx) => auditPos(tx, till, 'a.byKey', { kind: 'x', id: '1' }, {}));
  await write(service, 'b.byService', '1');
  await write(staff(), 'c.byStaff', '1');
  await database.owner`delete from memberships where user_id = ${manager.staff.userId}`;
  const names = (await list()).items.map(({ action, actor }) => [action, actor.kind, actor.name]);
  expect(names.sort()).toEqual([
    ['a.byKey', 'apiKey', 'Test'],
    ['b.byService', 'service', null],
    ['c.byStaff', 'staff', 'Test manager'],
  ]);
  const { actors, actions } = await callAs(manager).auditLog.choices();
  expect(actors).toEqual([
    { id: manager.staff.userId, kind: 'staff', name: 'Test manager' },
    { id: till.apiKeyId, kind: 'apiKey', name: 'Test' },
  ]);
  expect(actions).toEqual(['a.byKey', 'b.byService', 'c.byStaff']);
});

describe('filters', () => {
  const other = newId();
  beforeEach(async () => {
    await write(staff(), 'a.one', '1', new Date('2026-03-01T15:59:59.999Z'));
    await write({ kind: 'apiKey', id: other }, 'a.one', '2', new Date('2026-03-01T16:00:00Z'));
    await write(service, 'a.two', '1', new Date('2026-03-02T15:59:59.999Z'));
    await write(staff(), 'a.two', '3', new Date('2026-03-02T16:00:00Z'));
  });
  const found = async (input: Parameters<typeof list>[0]) =>
    (await list(input)).items.map(({ action, subject }) => `${action} ${subject.id}`);

  test('by actor, action and subject, and by all of them', async () => {
    expect(await found({ actor: manager.staff.userId })).toEqual(['a.two 3', 'a.one 1']);
    expect(await found({ actor: other })).toEqual(['a.one 2']);
    expect(await found({ actor: 'service' })).toEqual(['a.two 1']);
    expect(await found({ action: 'a.one' })).toEqual(['a.one 2', 'a.one 1']);
    expect(await found({ subjectKind: 'thing', subjectId: '1' })).toEqual(['a.two 1', 'a.one 1']);
    expect(await found({ actor: manager.staff.userId, action: 'a.one', subjectKind: 'thing', subjectId: '1' })).toEqual(
      ['a.one 1'],
    );
    expect(await found({ subjectKind: 'order', subjectId: '1' })).toEqual([]);
  });

  test('by day, in the merchant’s time zone', async () => {
    expect(await found({ from: '2026-03-02', until: '2026-03-02' })).toEqual(['a.two 1', 'a.one 2']);
    expect(await found({ from: '2026-03-03' })).toEqual(['a.two 3']);
    expect(await found({ until: '2026-03-01' })).toEqual(['a.one 1']);
  });

  test('refuses invalid filters', async () => {
    for (const input of [{ subjectId: '1' }, { from: 'yesterday' }, { actor: 'me' }, { after: 'x' }]) {
      await expect(list(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('filters the CSV, too', async () => {
    const csv = await text(exports['audit-log']?.open(manager, { action: 'a.one' }) as never);
    const [heading, ...lines] = csv.trim().split('\n');
    expect(heading).toContain('time,actorKind,actor,actorId,action');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`2026-03-01T15:59:59.999Z,staff,Test manager,${manager.staff.userId},a.one,thing,1`);
  });
});

test('pages connect without gaps while rows are added', async () => {
  for (let n = 0; n < 7; n++) await write(staff(), 'n', String(n), new Date(1_700_000_000_000 + n));
  const first = await list({ limit: 3 });
  await write(staff(), 'n', 'late');
  const second = await list({ limit: 3, after: first.nextCursor ?? '' });
  const third = await list({ limit: 3, after: second.nextCursor ?? '' });
  const ids = [first, second, third].map(({ items }) => items.map(({ subject }) => subject.id));
  expect(ids).toEqual([['6', '5', '4'], ['3', '2', '1'], ['0']]);
  const back = await list({ limit: 3, before: third.previousCursor ?? '' });
  expect(back.items.map(({ subject }) => subject.id)).toEqual(['3', '2', '1']);
});

test('another merchant’s log is not shown', async () => {
  await write(staff(), 'a.one', '1');
  const stranger = await createStaff(
    database.owner,
    testServices(database.db),
    (await createMerchant(database.owner)).id,
  );
  expect((await callAs(stranger).auditLog.list({ actor: manager.staff.userId })).items).toEqual([]);
  expect(await callAs(stranger).auditLog.choices()).toEqual({ actors: [], actions: [] });
});
