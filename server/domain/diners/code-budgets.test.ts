/** How many codes are sent in total, by merchant and deployment, and that strangers can't use up a diner's codes. */
import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { processLog } from '@/server/observe/log';
import { createDinerScene, reasonOf, type TestPhone } from '@/server/testing/diners';
import { createMerchant, type MerchantSettings } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access';
import { forgetPin } from '../customers';

const database = ownDatabase();

afterEach(() => void vi.restoreAllMocks());

const newScene = async (settings: MerchantSettings = {}) => {
  await database.owner`truncate throttles`;
  return createDinerScene(database, settings);
};
type Scene = Awaited<ReturnType<typeof newScene>>;

const hour = 60 * 60;

/** Requests codes for `count` new numbers at once, each from its own network. Returns the outcomes. */
const requestAtOnce = (scene: Scene, count: number, merchantId = scene.merchant.id) =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      reasonOf(scene.open(merchantId, `198.51.100.${at}`).api.identity.requestCode({ phone: scene.newNumber() })),
    ),
  );
const sentBy = async (merchantId: string) =>
  (await database.owner`select from messages where merchant_id = ${merchantId} and kind = 'code'`).length;
const request = (phone: TestPhone, number: string) => reasonOf(phone.api.identity.requestCode({ phone: number }));

test('a merchant’s hour has as many as its budget, however many are requested at once; the next hour counts anew', async () => {
  const scene = await newScene({ codes_per_hour: 10 });
  const outcomes = await requestAtOnce(scene, 25);
  // A fifth is kept for phones that signed in before.
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(8);
  expect(new Set(outcomes)).toEqual(new Set(['done', 'too_many_attempts']));
  expect(await sentBy(scene.merchant.id)).toBe(8);
  scene.passSeconds(hour - 60);
  await expect(scene.open().api.identity.requestCode({ phone: scene.newNumber() })).rejects.toMatchObject({
    cause: { code: 'too_many_attempts', sentence: { key: 'codesUsedUp' }, details: { retryAfterSeconds: 60 } },
  });
  scene.passSeconds(60);
  expect(await request(scene.open(), scene.newNumber())).toBe('done');
});

test('a merchant’s day has a budget of its own', async () => {
  const scene = await newScene({ codes_per_day: 10 });
  await requestAtOnce(scene, 5);
  scene.passSeconds(hour);
  await requestAtOnce(scene, 9);
  expect(await sentBy(scene.merchant.id)).toBe(8);
});

test.each(['perHour', 'perDay'] as const)('the deployment’s %s is shared by its merchants', async (budget) => {
  const scene = await newScene();
  const other = await createMerchant(database.owner);
  scene.services.codeBudget = { perHour: 1_000, perDay: 1_000, [budget]: 15 };
  const outcomes = await Promise.all([requestAtOnce(scene, 12), requestAtOnce(scene, 12, other.id)]);
  expect(outcomes.flat().filter((one) => one === 'done')).toHaveLength(12);
  expect((await sentBy(scene.merchant.id)) + (await sentBy(other.id))).toBe(12);
});

test('phones that signed in before get the fifth that strangers can’t use up', async () => {
  const scene = await newScene({ codes_per_hour: 10 });
  const phone = scene.newNumber();
  const device = await scene.comeIn(phone);
  await device.api.identity.signOut();
  await requestAtOnce(scene, 20);
  expect(await request(scene.open(), scene.newNumber())).toBe('too_many_attempts');
  scene.passSeconds(60);
  expect(await request(scene.open(), phone)).toBe('too_many_attempts');
  expect(await request(device, phone)).toBe('done');
  expect(await sentBy(scene.merchant.id)).toBe(9);
  // Only for numbers that signed in on it.
  expect(await request(device, scene.newNumber())).toBe('too_many_attempts');
});

test('PINs that staff or tills request are sent when both budgets are used up', async () => {
  const scene = await newScene({ codes_per_hour: 1 });
  scene.services.codeBudget = { perHour: 1, perDay: 1 };
  await requestAtOnce(scene, 2);
  expect(await request(scene.open(), scene.newNumber())).toBe('too_many_attempts');
  const [byTill, byStaff] = [await scene.customerWithPhone(), await scene.customerWithPhone()];
  await forgetPin(await authenticateKey(scene.services, scene.merchant.key), { customer: { phone: byTill.phone } });
  const staff = await createStaff(database.owner, scene.services, scene.merchant.id, 'cashier');
  await callAs(staff).customers.resetPin({ customerId: byStaff.id });
  const pins = await database.owner`
    select customer_id from messages where merchant_id = ${scene.merchant.id} and kind = 'pin'`;
  expect(new Set(pins.map(({ customer_id }) => customer_id))).toEqual(new Set([byTill.id, byStaff.id]));
});

test('a phone gets ten a day from strangers at a merchant, and twenty from all', async () => {
  const scene = await newScene();
  const phone = scene.newNumber();
  const others = [await createMerchant(database.owner), await createMerchant(database.owner)];
  const outcomes: string[] = [];
  for (const merchantId of [scene.merchant.id, ...others.map(({ id }) => id)]) {
    for (let at = 0; at < 11; at++) {
      outcomes.push(await request(scene.open(merchantId), phone));
      scene.passSeconds(60);
    }
  }
  const [ten, refused] = [Array(10).fill('done'), 'too_many_attempts'];
  expect(outcomes).toEqual([...ten, refused, ...ten, refused, ...Array(11).fill(refused)]);
  expect(await scene.codes(phone)).toHaveLength(20);
});

test('strangers can’t use up the codes of a phone where it signed in before, nor does signing in use them up', async () => {
  const scene = await newScene();
  const phone = scene.newNumber();
  const device = await scene.comeIn(phone);
  for (let at = 0; at < 12; at++) {
    scene.passSeconds(60);
    await request(scene.open(), phone);
  }
  expect(await request(scene.open(), phone)).toBe('too_many_attempts');
  for (let at = 0; at < 12; at++) {
    scene.passSeconds(60);
    await scene.comeIn(phone, device);
  }
  // Phones that do not sign in get ten as well.
  const outcomes: string[] = [];
  for (let at = 0; at < 11; at++) {
    scene.passSeconds(60);
    outcomes.push(await request(device, phone));
  }
  expect(outcomes).toEqual([...Array(10).fill('done'), 'too_many_attempts']);
});

test('signing in on new devices uses up no code of the phone either', async () => {
  const scene = await newScene();
  const phone = scene.newNumber();
  for (let at = 0; at < 12; at++) {
    await scene.comeIn(phone);
    scene.passSeconds(60);
  }
  expect(await request(scene.open(), phone)).toBe('done');
});

test('a signed-in customer gets a code for a new PIN when strangers have used up the budget', async () => {
  const scene = await newScene({ codes_per_hour: 5 });
  const { phone } = await scene.customerWithPhone();
  const device = await scene.comeIn(phone);
  await requestAtOnce(scene, 6);
  scene.passSeconds(60);
  expect(await request(scene.open(), phone)).toBe('too_many_attempts');
  expect(await device.api.account.requestPinCode()).toEqual({ resendAfterSeconds: 60 });
});

test('a refused request counts nowhere: the phone’s next code is sent as soon as there is a budget', async () => {
  const scene = await newScene({ codes_per_hour: 1 });
  const phone = scene.newNumber();
  await requestAtOnce(scene, 1);
  for (let at = 0; at < 12; at++) expect(await request(scene.open(), phone)).toBe('too_many_attempts');
  await database.owner`update merchants set codes_per_hour = 10 where id = ${scene.merchant.id}`;
  expect(await request(scene.open(), phone)).toBe('done');
});

test('the networks of one IPv6 client count together', async () => {
  const scene = await newScene();
  const requestFrom = (client: string) => request(scene.open(scene.merchant.id, client), scene.newNumber());
  expect(await requestFrom('2001:db8:1:1::1')).toBe('done');
  const key = createHash('sha256').update('codes from 2001:db8:1::/48').digest('base64url');
  expect(await database.owner`update throttles set attempts = 500 where key = ${key} returning attempts`).toHaveLength(
    1,
  );
  expect(await requestFrom('2001:db8:1:2::1')).toBe('too_many_attempts');
  expect(await requestFrom('2001:db8:2:1::1')).toBe('done');
});

test('staff see once a day that a budget is used up, and so does the operator, without a phone number', async () => {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(processLog(), 'info').mockImplementation((line) => void lines.push(line as never));
  const scene = await newScene({ codes_per_hour: 1 });
  const { id: merchantId } = scene.merchant;
  await requestAtOnce(scene, 10);
  expect(lines).toEqual([{ security: 'codes.limit_reached', merchantId, limit: 'codesPerHour', maximum: 1 }]);
  scene.passSeconds(1);
  scene.services.codeBudget = { perHour: 1, perDay: 1_000 };
  await database.owner`update merchants set codes_per_hour = 100 where id = ${merchantId}`;
  await requestAtOnce(scene, 3);
  expect(lines[1]).toMatchObject({ merchantId, limit: 'serviceCodesPerHour', maximum: 1 });
  const entries = await database.owner`
    select action, actor_kind, after from audit_log where merchant_id = ${merchantId} order by id`;
  expect(entries.map(({ after }) => JSON.parse(after))).toEqual([{ codesPerHour: 1 }, { serviceCodesPerHour: 1 }]);
  expect(entries[0]).toMatchObject({ action: 'codes.limitReached', actor_kind: 'service' });
  const manager = callAs(await createStaff(database.owner, scene.services, merchantId, 'manager'));
  expect(await manager.home.attention()).toMatchObject({ limitsReached: 0, codeLimitsReached: 2 });
  scene.passSeconds(24 * hour);
  expect(await manager.home.attention()).toMatchObject({ codeLimitsReached: 0 });
  await requestAtOnce(scene, 3);
  expect(lines).toHaveLength(3);
});

test('one phone that signs in again and again does not use up the budget of a merchant', async () => {
  const scene = await newScene({ codes_per_day: 60 });
  const own = scene.newNumber();
  const known = await scene.comeIn(own);
  const phone = scene.newNumber();
  const outcomes: string[] = [];
  for (let at = 0; at < 60; at++) {
    // In new browsers and in a known one, with the right code each time.
    outcomes.push(
      await scene.comeIn(phone).then(
        () => 'done',
        ({ cause }) => cause.code,
      ),
    );
    scene.passSeconds(60);
  }
  expect(outcomes).toEqual([...Array(40).fill('done'), ...Array(20).fill('too_many_attempts')]);
  expect(await request(known, own)).toBe('done');
});

test('a phone where it signed in before gets its code when others on its network have used up the requests', async () => {
  const scene = await newScene();
  const phone = scene.newNumber();
  const device = await scene.comeIn(phone);
  const key = createHash('sha256').update('codes from 192.0.2.1').digest('base64url');
  expect(await database.owner`update throttles set attempts = 100 where key = ${key} returning attempts`).toHaveLength(
    1,
  );
  scene.passSeconds(60);
  expect(await request(scene.open(), phone)).toBe('too_many_attempts');
  expect(await request(device, phone)).toBe('done');
});
