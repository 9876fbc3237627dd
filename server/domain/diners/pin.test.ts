/** A customer chooses a PIN: the proof it requires, what is refused, and that the till then asks for it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createDinerScene, reasonOf, type TestPhone, wrongFor } from '@/server/testing/diners';
import { createCustomer } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { forgetPin } from '../customers/forget-pin';
import { checkPin } from '../identity/pin';

const database = ownDatabase();
let scene: Awaited<ReturnType<typeof createDinerScene>>;
let customerId: string;
let phone: string;
let device: TestPhone;

beforeEach(async () => {
  scene = await createDinerScene(database, { pin_required: true });
  ({ id: customerId, phone } = await scene.customerWithPhone());
  device = await scene.comeIn(phone);
});

const minutes = (count: number) => scene.passSeconds(count * 60);
const set = (input: Parameters<TestPhone['api']['account']['setPin']>[0]) => device.api.account.setPin(input);
const freshCode = async () => {
  minutes(1);
  await device.api.account.requestPinCode();
  return scene.lastCode(phone);
};
/** Redeems at the till with this PIN. */
const give = async (pin: string) => {
  const till = await authenticateKey(scene.services, scene.merchant.key);
  await checkPin(till, { customerId, pinLockedUntil: null }, pin);
};
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'done', details: {} }),
    (error) => error.cause ?? error,
  );

describe('a first PIN', () => {
  test('needs no further proof within ten minutes of signing in', async () => {
    minutes(10);
    expect(await device.api.account.get()).toMatchObject({ customer: { hasPin: false }, isFresh: true });
    await set({ pin: '4831' });
    await give('4831');
    expect((await device.api.account.get()).customer.hasPin).toBe(true);
    const rows = await database.owner`select t::text as row from audit_log t where merchant_id = ${scene.merchant.id}`;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).toMatch(/diner,,customer\.setPin,customer/);
  });

  test('needs a fresh code after that', async () => {
    minutes(11);
    expect((await device.api.account.get()).isFresh).toBe(false);
    expect(await reasonOf(set({ pin: '4831' }))).toBe('code_required');
    await set({ pin: '4831', code: await freshCode() });
    await give('4831');
  });

  test('set by two phones at once is set once: the other needs proof', async () => {
    const outcomes = await Promise.all([reasonOf(set({ pin: '4831' })), reasonOf(set({ pin: '7702' }))]);
    expect(outcomes.sort()).toEqual(['code_required', 'done']);
  });

  test.each(['0000', '1234', '1212', '1987', '9999', '123', '12345', '12a4', '', '１２３５'])(
    'is never %j',
    async (pin) => {
      await expect(set({ pin })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      expect((await device.api.account.get()).customer.hasPin).toBe(false);
    },
  );
});

describe('changing the PIN', () => {
  beforeEach(() => set({ pin: '4831' }));

  test('needs the old one or a fresh code; a fresh sign-in alone is not enough', async () => {
    expect(await reasonOf(set({ pin: '7702' }))).toBe('code_required');
    await set({ pin: '7702', oldPin: '4831' });
    await give('7702');
    expect(await reasonOf(give('4831'))).toBe('pin_invalid');
    await set({ pin: '5968', code: await freshCode() });
    await give('5968');
  });

  test('with a wrong old one counts together with wrong ones at the till, and locks both', async () => {
    for (const left of [4, 3]) expect((await refusalOf(give('0001'))).details.attemptsLeft).toBe(left);
    for (const left of [2, 1]) {
      expect((await refusalOf(set({ pin: '7702', oldPin: '0001' }))).details.attemptsLeft).toBe(left);
    }
    const locked = await refusalOf(set({ pin: '7702', oldPin: '0001' }));
    expect(locked).toMatchObject({ code: 'pin_locked', details: { retryAfterSeconds: 900 } });
    expect(await reasonOf(set({ pin: '7702', oldPin: '4831' }))).toBe('pin_locked');
    expect(await reasonOf(give('4831'))).toBe('pin_locked');
    const lockedUntil = (await device.api.account.get()).pinLockedUntil;
    expect(lockedUntil).toEqual(new Date(scene.now().getTime() + 900_000));
    minutes(15);
    expect((await device.api.account.get()).pinLockedUntil).toBeNull();
    await set({ pin: '7702', oldPin: '4831' });
  });

  test('with a fresh code unlocks a PIN', async () => {
    for (let tries = 0; tries < 5; tries++) await refusalOf(give('0001'));
    await database.owner`update customer_pins set lockouts = 9 where customer_id = ${customerId}`;
    await set({ pin: '7702', code: await freshCode() });
    await give('7702');
  });

  test('with a wrong or used code is refused, and the PIN stays', async () => {
    const code = await freshCode();
    const wrong = await refusalOf(set({ pin: '7702', code: wrongFor(code) }));
    expect(wrong).toMatchObject({ code: 'code_invalid', details: { attemptsLeft: 4 } });
    await set({ pin: '5968', code });
    expect(await reasonOf(set({ pin: '7702', code }))).toBe('code_expired');
    await give('5968');
  });

  test('with many guesses at once checks five of them', async () => {
    const guesses = Array.from({ length: 20 }, (_, at) => set({ pin: '7702', oldPin: String(5000 + at) }));
    const codes = (await Promise.all(guesses.map(reasonOf))).sort();
    expect(codes.filter((code) => code === 'pin_invalid')).toHaveLength(4);
    expect(codes.filter((code) => code === 'pin_locked')).toHaveLength(16);
  });

  test('is not undone by an earlier PIN that is sent late', async () => {
    const till = await authenticateKey({ ...scene.services, messenger: 'whatsapp' }, scene.merchant.key);
    await forgetPin(till, { customer: { customerId } });
    await set({ pin: '7702', code: await freshCode() });
    const [message] = await database.owner`
      select state, secret from messages where customer_id = ${customerId} and kind = 'pin'`;
    expect(message).toEqual({ state: 'failed', secret: null });
    await give('7702');
  });
});

test('the history has only the customer’s own entries, paged, without staff’s notes', async () => {
  const { customers } = callAs(await createStaff(database.owner, scene.services, scene.merchant.id));
  const other = await createCustomer(database.owner, scene.merchant.id);
  const add = (id: string, amount: number) =>
    customers.adjust({
      customerId: id,
      adjustmentId: crypto.randomUUID(),
      part: 'points',
      direction: 'add',
      amount,
      expiresOn: null,
      reason: 'a difficult diner',
    });
  for (let amount = 1; amount <= 21; amount++) {
    minutes(1);
    await add(customerId, amount);
  }
  await add(other.id, 500);
  const first = await device.api.account.history({});
  const second = await device.api.account.history({ after: first.nextCursor ?? '' });
  const points = [...first.items, ...second.items].map(({ moved }) => moved.points);
  expect(points).toEqual(Array.from({ length: 21 }, (_, at) => 21 - at));
  expect(second.nextCursor).toBeNull();
  expect(JSON.stringify(first)).not.toMatch(/difficult|Test owner/);
});
