/** A customer's own message settings, and the language of messages. */
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createDinerScene, reasonOf } from '@/server/testing/diners';

const database = ownDatabase();

const languageOf = async (phone: string) =>
  (await database.owner`select language from customers where phone = ${phone}`)[0]?.language;
const ada = { givenName: 'Ada', lastName: 'Lim', consent: true as const };

test('a diner opts out and in again; a diner who has not joined has nothing to opt out of', async () => {
  const scene = await createDinerScene(database);
  const { phone } = await scene.customerWithPhone();
  const { account } = (await scene.comeIn(phone)).api;
  expect((await account.get()).wantsMessages).toBe(true);
  await account.setMessages({ wantsMessages: false });
  expect((await account.get()).wantsMessages).toBe(false);
  await account.setMessages({ wantsMessages: true });
  expect((await account.get()).wantsMessages).toBe(true);
  const stranger = (await scene.comeIn(scene.newNumber())).api;
  expect(await reasonOf(stranger.account.setMessages({ wantsMessages: false }))).toBe('customer_not_found');
  const anybody = scene.open().api;
  expect(await reasonOf(anybody.account.setMessages({ wantsMessages: false }))).toBe('UNAUTHORIZED');
});

test('a customer without a name says it on the phone, once: a name that is there stays', async () => {
  const scene = await createDinerScene(database);
  const { phone } = await scene.customerWithPhone();
  await database.owner`update customers set given_name = '', last_name = '' where phone = ${phone}`;
  const { account } = (await scene.comeIn(phone)).api;
  expect((await account.get()).customer.givenName).toBe('');
  expect(await reasonOf(account.setName({ givenName: ' ', lastName: '' }))).toBe('BAD_REQUEST');
  await account.setName({ givenName: 'Ada', lastName: 'Lim' });
  await account.setName({ givenName: 'Eve', lastName: '' });
  const [row] = await database.owner`select given_name, last_name from customers where phone = ${phone}`;
  expect(row).toEqual({ given_name: 'Ada', last_name: 'Lim' });
  const stranger = (await scene.comeIn(scene.newNumber())).api;
  expect(await reasonOf(stranger.account.setName({ givenName: 'Eve', lastName: '' }))).toBe('customer_not_found');
});

test('the page’s language is saved on joining, and on signing in', async () => {
  const scene = await createDinerScene(database);
  const phone = scene.newNumber();
  const device = await scene.comeIn(phone);
  await device.api.identity.join({ ...ada, language: 'ja' });
  expect(await languageOf(phone)).toBe('ja');
  const signIn = async (language?: 'zh') => {
    scene.passSeconds(60);
    const { identity } = scene.open().api;
    await identity.requestCode({ phone });
    await identity.verifyCode({ phone, code: await scene.lastCode(phone), language });
  };
  await signIn();
  expect(await languageOf(phone)).toBe('ja');
  await signIn('zh');
  expect(await languageOf(phone)).toBe('zh');
  await expect(device.api.identity.join({ ...ada, language: 'fr' as never })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});
