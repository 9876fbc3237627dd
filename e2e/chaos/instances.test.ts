/** Several instances on one database: a change through one applies to all from the next request on. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { appRole, connectDatabase, type Database } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import type { Topic } from '@/server/domain/kernel/changes';
import { followChanges } from '@/server/live/changes';
import { reasonOf } from '@/server/testing/diners';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createMenu } from '@/server/testing/factory-ordering';
import { createPerson, newBrowser, password } from '@/server/testing/people';
import { callAs, createStaff } from '@/server/testing/staff';
import { startRestService, type VictimService } from './victims';

const database = ownDatabase();
/** Processes of the REST service; the back office and diners' side run in the test itself. */
let processes: VictimService[] = [];
const connections: Database[] = [];

beforeAll(async () => {
  processes = await Promise.all([startRestService(database.url), startRestService(database.url)]);
});
afterAll(async () => {
  expect(processes.flatMap(({ unplannedExits }) => unplannedExits)).toEqual([]);
  await Promise.all([...processes.map(({ stop }) => stop()), ...connections.map((one) => one.close())]);
});

let serial = 0;
const newTransactionId = () => `t-${++serial}`;

/** A merchant, its owner, and a customer with 100.00. */
async function newScene() {
  const merchant = await createMerchant(database.owner);
  const customer = { customerId: (await createCustomer(database.owner, merchant.id, { pin: '4831' })).id };
  const packageId = await createFixedPackage(database.owner, merchant.id, { amount: 10_000, bonus: 0 });
  const owner = await createStaff(database.owner, testServices(database.db), merchant.id);
  const key = merchant.stores[0].key;
  const topUp = { transactionId: newTransactionId(), customer, packageId };
  expect((await post(0, key, '/transactions/stored-value/top-up', topUp)).status).toBe(200);
  const redeem = (at: number, rest: object = {}) =>
    post(at, key, '/transactions/stored-value/redeem', {
      transactionId: newTransactionId(),
      customer,
      amount: 100,
      ...rest,
    });
  return { merchant, customer, key, owner, call: callAs(owner), redeem };
}

async function post(at: number, key: string, path: string, body: object) {
  const response = await fetch(`${processes[at % processes.length]?.origin}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, code: JSON.parse(text).error?.code };
}

/** The responses of both instances, one after the other. */
const ofBoth = async (ask: (at: number) => Promise<{ status: number; code?: string }>) =>
  [await ask(0), await ask(1)].map(({ status, code }) => code ?? status);

test('"PIN required" applies on all from the next request on, and so does turning it off', async () => {
  const { call, redeem } = await newScene();
  for (let times = 0; times < 3; times++) {
    expect(await ofBoth(redeem)).toEqual([200, 200]);
    await call.settings.setPinRequired({ pinRequired: true });
    expect(await ofBoth(redeem)).toEqual(['pin_required', 'pin_required']);
    await call.settings.setPinRequired({ pinRequired: false });
  }
});

test('all reject a revoked key at once, and keys of a closed store', async () => {
  const { call, merchant, redeem } = await newScene();
  const { apiKeyId, key } = await call.apiKeys.create({ name: 'Till', storeId: null });
  const ask = (at: number) => post(at, key, '/transactions/void', { transactionIds: ['none'], storeCode: 'NORTH' });
  expect(await ofBoth(ask)).toEqual([200, 200]);
  await call.apiKeys.revoke({ apiKeyId });
  expect(await ofBoth(ask)).toEqual(['invalid_api_key', 'invalid_api_key']);
  expect(await ofBoth(redeem)).toEqual([200, 200]);
  await call.stores.close({ storeId: merchant.stores[0].id });
  expect(await ofBoth(redeem)).toEqual(['invalid_api_key', 'invalid_api_key']);
});

test('a transaction of one is replayed by the other, and conflicts there', async () => {
  const { redeem } = await newScene();
  for (const at of [0, 1]) {
    const same = { transactionId: newTransactionId() };
    const first = await redeem(at, same);
    const again = await redeem(at + 1, same);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await redeem(at + 1, { ...same, amount: 200 })).code).toBe('transaction_id_conflict');
  }
});

test('the same request sent to all at once is executed once', async () => {
  const { redeem, customer } = await newScene();
  const same = { transactionId: newTransactionId() };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => redeem(at, same)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
  const [balance] = await database.owner`
    select principal::int from balances where customer_id = ${customer.customerId}`;
  expect(balance?.principal).toBe(9_900);
});

test('wrong PINs are counted across all, and lock on all', async () => {
  const { call, redeem } = await newScene();
  await call.settings.setPinRequired({ pinRequired: true });
  const codes: string[] = [];
  for (let at = 0; at < 6; at++) codes.push((await redeem(at, { pin: '0000' })).code);
  expect(codes).toEqual([...Array(4).fill('pin_invalid'), 'pin_locked', 'pin_locked']);
});

test('new PINs are counted across all', async () => {
  const { key, customer } = await newScene();
  const statuses: number[] = [];
  for (let at = 0; at < 4; at++) statuses.push((await post(at, key, '/customers/forget-pin', { customer })).status);
  expect(statuses).toEqual([200, 200, 200, 402]);
});

test('a stock-out by one appears on the screens of others, and all reject the item', async () => {
  const { merchant, key } = await newScene();
  await createMenu(database.owner, merchant.id);
  const closing = new AbortController();
  const heard: Topic[] = [];
  const follow = async () => {
    const options = { signal: closing.signal, mayFollow: async () => true };
    for await (const topic of followChanges(database.db, merchant.id, options)) heard.push(topic);
  };
  const ended = follow();
  await vi.waitFor(() => expect(heard).toContain('stockOuts'), 5_000);
  for (const at of [0, 1]) {
    heard.length = 0;
    expect((await post(at, key, '/stock-outs', { plus: [`N00${at + 1}`] })).status).toBe(200);
    // The customer's first top-up may be told of as late as this.
    await vi.waitFor(() => expect(heard.filter((topic) => topic !== 'transactions')).toEqual(['stockOuts']), 5_000);
    const again = await post(at + 1, key, '/stock-outs', { plus: [`N00${at + 1}`] });
    expect(again.text).toContain('already_stocked_out');
  }
  closing.abort();
  await ended;
});

/** Loads the code of the back office and the diners' side again, with separate memory and connections. */
async function newInstance() {
  vi.resetModules();
  const { signIn } = await import('@/server/domain/access/sign-in');
  const { openPhone } = await import('@/server/testing/diners');
  const own = connectDatabase(database.url, { role: appRole, max: 2 });
  connections.push(own);
  return { signIn, openPhone, services: testServices(own) };
}

test('password attempts are counted across all', async () => {
  const instances = [await newInstance(), await newInstance()];
  expect(instances[0]?.signIn).not.toBe(instances[1]?.signIn);
  const { email } = await createPerson(database.owner);
  const guess = (at: number, given: string) => {
    const { signIn, services } = instances[at % 2] as (typeof instances)[number];
    return reasonOf(signIn(services, newBrowser(), { email, password: given }));
  };
  for (let at = 0; at < 10; at++) expect(await guess(at, 'a guess')).toBe('done');
  expect([await guess(0, password), await guess(1, password)]).toEqual(['too_many_attempts', 'too_many_attempts']);
});

test('diners’ codes are limited across all: the time of the next code, and the attempts at one', async () => {
  const instances = [await newInstance(), await newInstance()];
  const { merchant } = await newScene();
  const phone = '+6591234567';
  const apiOf = (at: number) => {
    const { openPhone, services } = instances[at % 2] as (typeof instances)[number];
    return openPhone(services, merchant.id).api.identity;
  };
  await apiOf(0).requestCode({ phone });
  const sent = () => database.owner`select from messages where merchant_id = ${merchant.id} and phone = ${phone}`;
  expect(await sent()).toHaveLength(1);
  await apiOf(1).requestCode({ phone });
  expect(await sent()).toHaveLength(1);
  const reasons: string[] = [];
  for (let at = 0; at < 6; at++) reasons.push(await reasonOf(apiOf(at).verifyCode({ phone, code: '000000' })));
  expect(reasons).toEqual([...Array(5).fill('code_invalid'), 'code_expired']);
});
