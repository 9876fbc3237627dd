/** Wrong codes are limited by network and merchant, and others' guesses never lock out a diner with the right code. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createDinerScene, reasonOf, type TestPhone, wrongFor } from '@/server/testing/diners';

const database = ownDatabase();

const newScene = async () => {
  await database.owner`truncate throttles`;
  return createDinerScene(database);
};
type Scene = Awaited<ReturnType<typeof newScene>>;

const guess = ({ api }: TestPhone, phone: string, code: string) => reasonOf(api.identity.verifyCode({ phone, code }));

/** Sets a counter, as after that many attempts. */
async function setCount(key: string, attempts: number) {
  const hash = createHash('sha256').update(key).digest('base64url');
  expect(await database.owner`update throttles set attempts = ${attempts} where key = ${hash}`).toMatchObject({
    count: 1,
  });
}

/** Sends a code to a new number. */
async function sentTo(scene: Scene, device = scene.open()) {
  const phone = scene.newNumber();
  await device.api.identity.requestCode({ phone });
  return { phone, code: await scene.lastCode(phone) };
}

test('a network has sixty wrong ones an hour, also at once; where the phone signed in before, the right one is accepted', async () => {
  const scene = await newScene();
  const own = scene.newNumber();
  const known = await scene.comeIn(own);
  const { phone, code } = await sentTo(scene);
  const outcomes = await Promise.all(
    Array.from({ length: 70 }, () => guess(scene.open(), scene.newNumber(), '000000')),
  );
  expect(outcomes.filter((one) => one === 'code_expired')).toHaveLength(60);
  expect(outcomes.filter((one) => one === 'too_many_attempts')).toHaveLength(10);
  await expect(scene.open().api.identity.verifyCode({ phone, code })).rejects.toMatchObject({
    cause: { code: 'too_many_attempts', details: { retryAfterSeconds: 60 * 60 } },
  });
  expect(await guess(scene.open(scene.merchant.id, '198.51.100.7'), phone, code)).toBe('done');
  scene.passSeconds(60);
  await known.api.identity.requestCode({ phone: own });
  expect(await guess(known, own, await scene.lastCode(own))).toBe('done');
  scene.passSeconds(60 * 60);
  expect(await guess(scene.open(), phone, '000000')).toBe('code_expired');
});

test('right ones do not count for the network', async () => {
  const scene = await newScene();
  await scene.comeIn(scene.newNumber());
  await setCount('wrong codes from 192.0.2.1', 59);
  for (let at = 0; at < 3; at++) await scene.comeIn(scene.newNumber());
  expect(await guess(scene.open(), scene.newNumber(), '000000')).toBe('code_expired');
  expect(await guess(scene.open(), scene.newNumber(), '000000')).toBe('too_many_attempts');
});

test('the networks of an IPv6 client count together', async () => {
  const scene = await newScene();
  const guessFrom = (client: string) => guess(scene.open(scene.merchant.id, client), scene.newNumber(), '000000');
  expect(await guessFrom('2001:db8:1:1::1')).toBe('code_expired');
  const key = createHash('sha256').update('wrong codes from 2001:db8:1::/48').digest('base64url');
  expect(await database.owner`update throttles set attempts = 300 where key = ${key} returning attempts`).toHaveLength(
    1,
  );
  expect(await guessFrom('2001:db8:1:2::1')).toBe('too_many_attempts');
  expect(await guessFrom('2001:db8:2:1::1')).toBe('code_expired');
});

test('after two hundred at a merchant, a wrong one from a stranger uses the code up; right ones still sign in', async () => {
  const scene = await newScene();
  const own = scene.newNumber();
  const known = await scene.comeIn(own);
  let serial = 0;
  const stranger = () => scene.open(scene.merchant.id, `203.0.113.${serial++ % 250}`);
  const guessed = async () => {
    const { phone, code } = await sentTo(scene, stranger());
    return Promise.all(Array.from({ length: 5 }, () => guess(stranger(), phone, wrongFor(code))));
  };
  expect(await guessed()).toEqual(Array(5).fill('code_invalid'));
  await setCount(`wrong codes of ${scene.merchant.id}`, 200);

  const one = await sentTo(scene, stranger());
  await expect(
    stranger().api.identity.verifyCode({ phone: one.phone, code: wrongFor(one.code) }),
  ).rejects.toMatchObject({
    cause: { code: 'code_invalid', details: { attemptsLeft: 0 } },
  });
  expect(await guess(stranger(), one.phone, one.code)).toBe('code_expired');
  const other = await sentTo(scene, stranger());
  expect(await guess(stranger(), other.phone, other.code)).toBe('done');

  scene.passSeconds(60);
  await known.api.identity.requestCode({ phone: own });
  const code = await scene.lastCode(own);
  for (let at = 0; at < 4; at++) expect(await guess(known, own, wrongFor(code))).toBe('code_invalid');
  expect(await guess(known, own, code)).toBe('done');

  const entries = await database.owner`
    select after from audit_log where merchant_id = ${scene.merchant.id} and action = 'codes.limitReached'`;
  expect(entries.map(({ after }) => JSON.parse(after))).toEqual([{ wrongCodesPerHour: 200 }]);
  scene.passSeconds(60 * 60);
  expect(await guessed()).toEqual(Array(5).fill('code_invalid'));
});

test('strangers’ wrong ones use up no code where the phone signed in before, which has five tries of its own', async () => {
  const scene = await newScene();
  const own = scene.newNumber();
  const known = await scene.comeIn(own);
  scene.passSeconds(60);
  await known.api.identity.requestCode({ phone: own });
  const code = await scene.lastCode(own);
  for (let at = 0; at < 5; at++) expect(await guess(scene.open(), own, wrongFor(code))).toBe('code_invalid');
  expect(await guess(scene.open(), own, code)).toBe('code_expired');
  expect(await reasonOf(known.api.identity.requestCode({ phone: own }))).toBe('done');
  const guesses = Array.from({ length: 8 }, () => guess(known, own, wrongFor(code)));
  expect((await Promise.all(guesses)).sort()).toEqual([
    ...Array(3).fill('code_expired'),
    ...Array(5).fill('code_invalid'),
  ]);
  expect(await guess(known, own, code)).toBe('code_expired');
  scene.passSeconds(60);
  await known.api.identity.requestCode({ phone: own });
  for (let at = 0; at < 5; at++) await guess(scene.open(), own, '000000');
  expect(await guess(known, own, await scene.lastCode(own))).toBe('done');
});
