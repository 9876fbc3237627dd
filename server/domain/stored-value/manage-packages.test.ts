import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { refusalOf } from '@/server/testing/menu';
import { callAs, createStaff } from '@/server/testing/staff';
import { newId } from '../kernel/ids';
import { lacksTranslation } from '../kernel/missing-translations';
import type { PackageInput } from './schemas';

const now = new Date('2026-11-20T04:00:00Z');
const database = sharedDatabase();

async function createScene(settings: { time_zone?: string } = {}) {
  const merchant = await createMerchant(database.owner, settings);
  const services = testServices(database.db, { now: () => now });
  const call = callAs(await createStaff(database.owner, services, merchant.id, 'manager')).packages;
  const add = async (rest: Partial<PackageInput> = {}) =>
    (await call.create({ ...hundred, ...rest } as PackageInput)).packageId;
  const update = async (packageId: string, input: PackageInput) =>
    call.update({ packageId, package: input, revision: (await call.get({ packageId })).revision });
  const names = async () => (await call.list({})).map(({ name }) => name);
  return { merchant, call, add, update, names };
}

const common = {
  name: 'Pay 100, get 120',
  translations: {},
  bonusExpiresInDays: null,
  allStores: true,
  storeIds: [],
  validFrom: null,
  validUntil: null,
};
const hundred: PackageInput = { ...common, kind: 'fixed', amount: 10_000, bonusAmount: 2_000 };
const revision = expect.any(String);
const open: PackageInput = { ...common, kind: 'open', minAmount: 2_000, maxAmount: 50_000, bonusBasisPoints: 1_025 };

describe('a package', () => {
  test.each([hundred, open])('is kept as it was given: $kind', async (input) => {
    const { call, merchant } = await createScene();
    const limited = { ...input, allStores: false, storeIds: [merchant.stores[1].id], bonusExpiresInDays: 90 };
    const { packageId } = await call.create(limited);
    expect(await call.get({ packageId })).toEqual({ ...limited, packageId, revision, status: 'onOffer' });
  });

  test('can change its type', async () => {
    const { call, add, update } = await createScene();
    const packageId = await add();
    await update(packageId, open);
    expect(await call.get({ packageId })).toEqual({ ...open, packageId, revision, status: 'onOffer' });
  });

  test.each([
    ['Asia/Singapore', '2026-11-30T16:00:00.000Z', '2026-12-24T15:59:59.999Z'],
    ['Pacific/Niue', '2026-12-01T11:00:00.000Z', '2026-12-25T10:59:59.999Z'],
    ['Africa/Cairo', '2026-11-30T22:00:00.000Z', '2026-12-24T21:59:59.999Z'],
  ])('is on offer from the first day to the end of the last in %s', async (time_zone, from, until) => {
    const { call, add } = await createScene({ time_zone });
    const packageId = await add({ validFrom: '2026-12-01', validUntil: '2026-12-24' });
    const [row] = await database.owner`
      select valid_from, valid_until from stored_value_packages where id = ${packageId}`;
    expect([row?.valid_from.toISOString(), row?.valid_until.toISOString()]).toEqual([from, until]);
    const shown = await call.get({ packageId });
    expect([shown.validFrom, shown.validUntil, shown.status]).toEqual(['2026-12-01', '2026-12-24', 'scheduled']);
  });

  test('whose last day is over has ended', async () => {
    const { call, add } = await createScene();
    const [ended, today] = [await add({ validUntil: '2026-11-19' }), await add({ validUntil: '2026-11-20' })];
    expect((await call.get({ packageId: ended })).status).toBe('ended');
    expect((await call.get({ packageId: today })).status).toBe('onOffer');
  });

  test.each([
    [{ name: '  ' }, 'package.name'],
    [{ amount: 0 }, 'package.amount'],
    [{ bonusAmount: 99_999_999_999 }, 'package.bonusAmount'],
    [{ allStores: false }, 'package.storeIds'],
    [{ validFrom: '2026-12-02', validUntil: '2026-12-01' }, 'package.validUntil'],
    [{ ...open, maxAmount: 1_999 }, 'package.maxAmount'],
    [{ ...open, maxAmount: 99_999_999_999 }, 'package.maxAmount'],
  ])('is refused with %o', async (wrong, path) => {
    const { add, update } = await createScene();
    const input = { ...hundred, ...wrong } as PackageInput;
    expect(await refusalOf(update(await add(), input))).toEqual({
      code: 'invalid_input',
      paths: [path],
    });
  });

  test('leaves an audit entry for each change', async () => {
    const { call, add, update, merchant } = await createScene();
    const packageId = await add();
    await update(packageId, { ...hundred, name: 'New' });
    await call.setArchived({ packageId, isArchived: true });
    await call.setArchived({ packageId, isArchived: true });
    await call.setArchived({ packageId, isArchived: false });
    const trail = await database.owner`
      select action, actor_kind from audit_log where merchant_id = ${merchant.id} and subject_id = ${packageId} order by action`;
    expect(trail.map(({ action, actor_kind }) => `${actor_kind} ${action}`)).toEqual([
      'staff package.archive',
      'staff package.create',
      'staff package.restore',
      'staff package.update',
    ]);
  });
});

test('packages whose name one of diners’ languages lacks can be counted', async () => {
  const { call, add } = await createScene();
  await add({ name: 'Whole', translations: { zh: { name: '甲' }, ja: { name: '乙' }, ms: { name: 'Satu' } } });
  await add({ name: 'Half', translations: { zh: { name: '甲' } } });
  await add({ name: 'None' });
  const lacking = (await call.list({})).filter((one) => lacksTranslation({ locale: 'en-SG' }, one));
  expect(lacking.map(({ name }) => name)).toEqual(['Half', 'None']);
});

describe('the order', () => {
  test('is by creation, then as requested; those not named follow', async () => {
    const { call, add, names } = await createScene();
    const [a, , c] = [await add({ name: 'A' }), await add({ name: 'B' }), await add({ name: 'C' })];
    expect(await names()).toEqual(['A', 'B', 'C']);
    await call.reorder({ packageIds: [c, a] });
    expect(await names()).toEqual(['C', 'A', 'B']);
    await add({ name: 'D' });
    expect(await names()).toEqual(['C', 'A', 'B', 'D']);
  });

  test('is one of the requested ones when two people change it at the same moment', async () => {
    const { call, add, names } = await createScene();
    const ids: string[] = [];
    for (const name of 'ABCDEF') ids.push(await add({ name }));
    const reversed = ids.toReversed();
    for (let round = 0; round < 10; round++) {
      await Promise.all([call.reorder({ packageIds: ids }), call.reorder({ packageIds: reversed })]);
      expect(['ABCDEF', 'FEDCBA']).toContain((await names()).join(''));
    }
  });

  test('excludes archived ones; a restored one comes last', async () => {
    const { call, add, names } = await createScene();
    const a = await add({ name: 'A' });
    await add({ name: 'B' });
    await call.setArchived({ packageId: a, isArchived: true });
    expect(await names()).toEqual(['B']);
    expect((await call.list({ status: 'archived' })).map(({ name, status }) => [name, status])).toEqual([
      ['A', 'archived'],
    ]);
    await call.setArchived({ packageId: a, isArchived: false });
    expect(await names()).toEqual(['B', 'A']);
  });
});

test('another merchant’s package or store does not exist', async () => {
  const mine = await createScene();
  const theirs = await createScene();
  const packageId = await theirs.add();
  const missing = { code: 'package_not_found', paths: [] };
  expect(await refusalOf(mine.call.get({ packageId }))).toEqual(missing);
  expect(await refusalOf(mine.call.update({ packageId, package: hundred, revision: '' }))).toEqual(missing);
  expect(await refusalOf(mine.call.setArchived({ packageId, isArchived: true }))).toEqual(missing);
  expect(await refusalOf(mine.call.reorder({ packageIds: [packageId] }))).toEqual(missing);
  expect(await refusalOf(mine.call.get({ packageId: newId() }))).toEqual(missing);
  const storeIds = [theirs.merchant.stores[0].id];
  expect(await refusalOf(mine.call.create({ ...hundred, allStores: false, storeIds }))).toEqual({
    code: 'store_not_found',
    paths: [],
  });
  expect(await theirs.names()).toEqual([hundred.name]);
});
