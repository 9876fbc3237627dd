/** One-time codes: who can sign in with one, and how often it can be tried. */
import { beforeEach, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createDinerScene, openPhone, reasonOf, wrongFor } from '@/server/testing/diners';
import { createMerchant } from '@/server/testing/factory';

const database = sharedDatabase();
let scene: Awaited<ReturnType<typeof createDinerScene>>;

beforeEach(async () => {
  scene = await createDinerScene(database);
});

const seconds = (count: number) => scene.passSeconds(count);
const minutes = (count: number) => seconds(count * 60);
const days = (count: number) => minutes(count * 24 * 60);

describe('a code', () => {
  test('signs the phone in as its customer', async () => {
    const customer = await scene.customerWithPhone();
    const device = scene.open();
    expect(await device.api.identity.me()).toBeNull();
    await device.api.identity.requestCode({ phone: customer.phone });
    const code = await scene.lastCode(customer.phone);
    expect(await device.api.identity.verifyCode({ phone: customer.phone, code })).toEqual({ isCustomer: true });
    expect(await device.api.identity.me()).toEqual({ phone: customer.phone, isCustomer: true, givenName: 'Ada' });
    expect((await device.api.account.get()).customer.customerId).toBe(customer.id);
  });

  test('is requested alike for known and unknown phones, in any notation', async () => {
    const { phone } = await scene.customerWithPhone();
    const national = phone.replace('+65', '').replace(/^(....)/, '$1 ');
    const answers = [
      await scene.open().api.identity.requestCode({ phone: national }),
      await scene.open().api.identity.requestCode({ phone: scene.newNumber() }),
    ];
    expect(answers).toEqual([{ resendAfterSeconds: 60 }, { resendAfterSeconds: 60 }]);
    expect(await scene.codes(phone)).toHaveLength(1);
    await expect(scene.open().api.identity.requestCode({ phone: '12' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('has six digits, works once, and for no other phone or merchant', async () => {
    const [phone, other] = [scene.newNumber(), scene.newNumber()];
    const elsewhere = await createMerchant(database.owner);
    await scene.open().api.identity.requestCode({ phone });
    await scene.open().api.identity.requestCode({ phone: other });
    const [code = ''] = await scene.codes(phone);
    await scene.open(elsewhere.id).api.identity.requestCode({ phone });
    expect(code).toMatch(/^\d{6}$/);
    expect(await reasonOf(scene.open().api.identity.verifyCode({ phone: other, code }))).toBe('code_invalid');
    expect(await reasonOf(scene.open(elsewhere.id).api.identity.verifyCode({ phone, code }))).toBe('code_invalid');
    expect(await scene.open().api.identity.verifyCode({ phone, code: `${code.slice(0, 3)} ${code.slice(3)}` })).toEqual(
      {
        isCustomer: false,
      },
    );
    expect(await reasonOf(scene.open().api.identity.verifyCode({ phone, code }))).toBe('code_expired');
  });

  test('entered twice at once is used once', async () => {
    const phone = scene.newNumber();
    await scene.open().api.identity.requestCode({ phone });
    const code = await scene.lastCode(phone);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => reasonOf(scene.open().api.identity.verifyCode({ phone, code }))),
    );
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
    expect(outcomes.filter((one) => one === 'code_expired')).toHaveLength(29);
    expect(await database.owner`select from diner_sessions where phone = ${phone}`).toHaveLength(1);
  });

  test('allows five tries, also for concurrent guesses, and then not even the right one', async () => {
    const phone = scene.newNumber();
    await scene.open().api.identity.requestCode({ phone });
    const code = await scene.lastCode(phone);
    const guess = () => scene.open().api.identity.verifyCode({ phone, code: wrongFor(code) });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, guess));
    const left = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.cause.details.attemptsLeft] : []));
    expect(left.filter((count) => count !== undefined).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(await reasonOf(scene.open().api.identity.verifyCode({ phone, code }))).toBe('code_expired');
    // A new one can't be requested at once, and allows five tries again.
    expect(await reasonOf(scene.open().api.identity.requestCode({ phone }))).toBe('too_many_attempts');
    seconds(60);
    await scene.comeIn(phone);
  });

  test('works for ten minutes', async () => {
    const [early, late] = [scene.newNumber(), scene.newNumber()];
    for (const phone of [early, late]) await scene.open().api.identity.requestCode({ phone });
    seconds(10 * 60 - 1);
    expect(
      await reasonOf(scene.open().api.identity.verifyCode({ phone: early, code: await scene.lastCode(early) })),
    ).toBe('done');
    seconds(1);
    expect(
      await reasonOf(scene.open().api.identity.verifyCode({ phone: late, code: await scene.lastCode(late) })),
    ).toBe('code_expired');
  });

  test('can be sent again after a minute, and then the first stops working', async () => {
    const phone = scene.newNumber();
    const { identity } = scene.open().api;
    await Promise.all([
      identity.requestCode({ phone }),
      identity.requestCode({ phone }),
      identity.requestCode({ phone }),
    ]);
    expect(await scene.codes(phone)).toHaveLength(1);
    seconds(59);
    expect(await identity.requestCode({ phone })).toEqual({ resendAfterSeconds: 1 });
    expect(await scene.codes(phone)).toHaveLength(1);
    seconds(1);
    expect(await identity.requestCode({ phone })).toEqual({ resendAfterSeconds: 60 });
    const [first = '', second = ''] = await scene.codes(phone);
    if (first !== second) expect(await reasonOf(identity.verifyCode({ phone, code: first }))).toBe('code_invalid');
    expect(await reasonOf(identity.verifyCode({ phone, code: second }))).toBe('done');
  });

  test('is sent to a phone ten times a day, and from one network to at most a hundred phones an hour', async () => {
    const phone = scene.newNumber();
    for (let sent = 0; sent < 10; sent++) {
      await scene.open().api.identity.requestCode({ phone });
      minutes(20);
    }
    expect(await reasonOf(scene.open().api.identity.requestCode({ phone }))).toBe('too_many_attempts');
    expect(await scene.codes(phone)).toHaveLength(10);
    days(1);
    expect(await reasonOf(scene.open().api.identity.requestCode({ phone }))).toBe('done');
    const from = openPhone(scene.services, scene.merchant.id, '2001:db8:1:2::1').api.identity;
    for (let asked = 0; asked < 100; asked++) await from.requestCode({ phone });
    const neighbour = openPhone(scene.services, scene.merchant.id, '2001:db8:1:2:ffff::9').api.identity;
    expect(await reasonOf(neighbour.requestCode({ phone: scene.newNumber() }))).toBe('too_many_attempts');
  });

  test('is stored nowhere in plain text', async () => {
    const phone = scene.newNumber();
    const device = scene.open();
    await device.api.identity.requestCode({ phone });
    const code = await scene.lastCode(phone);
    await device.api.identity.verifyCode({ phone, code });
    const token = device.cookies.get(`diner-${scene.merchant.id}`) ?? '';
    const tables = await database.owner`
      select relname as name from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`;
    for (const { name } of tables) {
      const rows = await database.owner.unsafe(`select t::text as row from "${name}" t`).catch(() => []);
      for (const { row } of rows) {
        expect(row, name).not.toContain(token);
        // Within other digits, as in an id or after a decimal point, a match would be coincidence.
        expect(row, name).not.toMatch(new RegExp(`(?<![0-9a-f.])${code}(?![0-9a-f])`));
      }
    }
  });
});
