/** How many queries key look-ups take, and that no request is admitted by a look-up that is older than the request. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appRole, connectDatabase, type Database } from '@/db/driver';
import { apiKeyByHash } from '@/db/query/functions';
import { Queries } from '@/db/query/queries';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { newApiKey } from './api-key';
import { authenticateKey } from './authenticate';

const database = sharedDatabase();
let db: Database;
let keys: string[];
let lookUps = 0;

beforeAll(async () => {
  db = connectDatabase(database.url, { role: appRole, max: 4 });
  const merchants = [await createMerchant(database.owner), await createMerchant(database.owner)];
  keys = merchants.map(({ stores }) => stores[0]?.key as string);
  const { send } = db.reads;
  db.reads = new Queries((statement) => {
    if (statement.sql.includes(apiKeyByHash.$name)) lookUps += 1;
    return send(statement);
  });
});
afterAll(() => db.close());

const whose = async (key: string) => (await authenticateKey(testServices(db), key)).merchant.id;

test('concurrent requests share a look-up, and each gets its own key’s context', async () => {
  const [one, other] = keys as [string, string];
  const merchants = [await whose(one), await whose(other)];
  const before = lookUps;
  const nobody = newApiKey('sandbox');
  const answers = await Promise.all([one, nobody, other, one].map((key) => whose(key).catch(({ code }) => code)));
  expect(lookUps - before).toBe(1);
  expect(answers).toEqual([merchants[0], 'invalid_api_key', merchants[1], merchants[0]]);
});

test('a key of the other environment is refused without a look-up, and the message names both', async () => {
  const before = lookUps;
  const production = { ...testServices(db), environment: 'live' as const };
  for (const key of [newApiKey('sandbox'), 'sk_sandbox_placeholder']) {
    await expect(authenticateKey(production, key)).rejects.toMatchObject({
      code: 'invalid_api_key',
      message: 'This is production, and the key is for the sandbox.',
    });
  }
  await expect(authenticateKey(production, 'sk_live_placeholder')).rejects.toThrow('The API key is not valid.');
  expect(lookUps).toBe(before);
});

test('a request after a look-up was sent gets its own, so that a key revoked meanwhile is refused', async () => {
  const [one] = keys as [string];
  await whose(one);
  const before = lookUps;
  const early = whose(one).catch(() => {});
  while (lookUps === before) await new Promise(setImmediate);
  await database.owner`update api_keys set revoked_at = now()`;
  await expect(whose(one)).rejects.toMatchObject({ code: 'invalid_api_key' });
  await early;
  expect(lookUps - before).toBe(2);
});
