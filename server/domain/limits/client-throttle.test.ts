import { beforeAll, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { reasonOf } from '../../testing/diners';
import { createMerchant, testServices } from '../../testing/factory';
import { providerOf, siteOf } from '../kernel/networks';
import { returnClientAttempt, throttleClient } from './client-throttle';

const database = sharedDatabase();
let merchantId: string;
let serial = 0;

beforeAll(async () => {
  merchantId = (await createMerchant(database.owner)).id;
});

/** Attempts of two a network. */
function newLimit() {
  const services = testServices(database.db);
  const limit = { key: `client throttle ${merchantId} ${++serial}`, attempts: 2, windowSeconds: 60 };
  const attempt = (client: string) =>
    reasonOf(
      withMerchant(database.db, merchantId, ({ db }) =>
        throttleClient({ db, systemClock: services.systemClock }, client, limit),
      ),
    );
  const countDone = async (clients: string[]) => {
    let done = 0;
    for (const client of clients) if ((await attempt(client)) === 'done') done++;
    return done;
  };
  return { attempt, countDone, giveBack: (client: string) => returnClientAttempt(services, client, limit.key) };
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test('a /64 has as many as an IPv4 address, a /48 five times, a /32 twenty times as many', async () => {
  const { attempt, countDone } = newLimit();
  expect(await countDone(Array(3).fill('192.0.2.1'))).toBe(2);
  expect(await countDone(['192.0.2.2', '::ffff:192.0.2.2', '192.0.2.2'])).toBe(2);
  expect(await countDone(range(3).map((host) => `2001:db8:1:1::${host}`))).toBe(2);
  expect(await countDone(range(12).map((network) => `2001:db8:1:1${network}::1`))).toBe(8);
  // Ten of the /32 are used: each of these has one, and the last thirty are left.
  expect(await countDone(range(40).map((site) => `2001:db8:1${site}:1::1`))).toBe(30);
  expect(await attempt('2001:db9::1')).toBe('done');
});

test('an attempt that a larger network refuses does not count for the smaller one', async () => {
  const { attempt, countDone, giveBack } = newLimit();
  expect(await countDone(range(10).map((network) => `2001:db8:1:${network}::1`))).toBe(10);
  for (let at = 0; at < 5; at++) expect(await attempt('2001:db8:1:99::1')).toBe('too_many_attempts');
  for (const network of [1, 2]) await giveBack(`2001:db8:1:${network}::1`);
  expect(await countDone(Array(3).fill('2001:db8:1:99::1'))).toBe(2);
});

test.each([
  ['192.0.2.7', '192.0.2.7', null],
  ['::ffff:192.0.2.7', '192.0.2.7', null],
  ['2001:DB8:0:42:1:2:3:4', '2001:db8:0::/48', '2001:db8::/32'],
  ['2001:db8::1', '2001:db8:0::/48', '2001:db8::/32'],
  ['unknown', 'unknown', null],
])('%s is of the site %s and of the provider %s', (address, site, provider) => {
  expect([siteOf(address), providerOf(address)]).toEqual([site, provider]);
});
