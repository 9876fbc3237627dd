import { beforeEach, describe, expect, test } from 'vitest';
import { tillScopes } from '@/db/kinds/lists';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { createCell } from '../kernel/cells';
import type { StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { type ApiRequest, deleteOldApiRequests, saveApiRequests } from './api-requests';
import { authenticateKey } from './authenticate';

const hourMs = 60 * 60_000;
const database = sharedDatabase();
let merchant: TestMerchant;
let owner: StaffContext;
let now = new Date();
const clock = { now: () => now };
const services = () => testServices(database.db, clock);

beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00Z');
  merchant = await createMerchant(database.owner);
  owner = await createStaff(database.owner, services(), merchant.id);
});

const works = (key: string) =>
  authenticateKey(services(), key).then(
    () => true,
    (error) => (error.code === 'invalid_api_key' ? false : Promise.reject(error)),
  );
const later = (hours: number) => {
  now = new Date(now.getTime() + hours * hourMs);
};
const find = (apiKeyId: string) => callAs(owner).apiKeys.get({ apiKeyId });

test('a key that is created in a cell names it', async () => {
  const cell = createCell('sg1', 'https://{cell}.loyalty.example.com');
  const { key } = await callAs({ ...owner, cell }).apiKeys.create({ name: 'Till', storeId: null });
  expect(key).toMatch(/^sk_sandbox_sg1_/);
  expect(await works(key)).toBe(true);
});

test('a key works at once for its store; afterwards only its start and end are known', async () => {
  const { apiKeyId, key } = await callAs(owner).apiKeys.create({ name: 'Till 1', storeId: merchant.stores[0].id });
  expect((await authenticateKey(services(), key)).boundStore?.storeCode).toBe('NORTH');
  const wide = await callAs(owner).apiKeys.create({ name: 'Head office', storeId: null });
  expect((await authenticateKey(services(), wide.key)).boundStore).toBeNull();
  expect(await find(apiKeyId)).toEqual({
    apiKeyId,
    name: 'Till 1',
    prefix: 'sk_sandbox_',
    lastFour: key.slice(-4),
    store: { storeId: merchant.stores[0].id, storeCode: 'NORTH', name: 'Store NORTH', isClosed: false },
    state: 'active',
    ratePerSecond: 50,
    rateBurst: 100,
    scopes: [...tillScopes],
    networks: [],
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  });
  const written = JSON.stringify([
    await database.owner`select * from audit_log`,
    await callAs(owner).apiKeys.list({}),
    await database.owner`select * from api_keys`,
  ]);
  for (const secret of [key, wide.key]) expect(written).not.toContain(secret.slice('sk_sandbox_'.length, -4));
});

test.each([0, 1, 24, 72] as const)('rotated with %i hours of overlap, both work for so long', async (overlapHours) => {
  const old = await callAs(owner).apiKeys.create({ name: 'Till', storeId: merchant.stores[1].id });
  const next = await callAs(owner).apiKeys.rotate({ apiKeyId: old.apiKeyId, overlapHours });
  expect(await find(next.apiKeyId)).toMatchObject({ name: 'Till', store: { storeCode: 'SOUTH' }, state: 'active' });
  expect((await find(old.apiKeyId)).state).toBe(overlapHours === 0 ? 'expired' : 'ending');
  expect([await works(old.key), await works(next.key)]).toEqual([overlapHours > 0, true]);
  later(overlapHours);
  expect([await works(old.key), await works(next.key)]).toEqual([false, true]);
});

describe('what a key may do, and from where', () => {
  const access = { scopes: ['ordering' as const], networks: ['203.0.113.9/24', ' 2001:DB8::1 '] };
  const auditOf = (apiKeyId: string, action: string) =>
    database.owner`select before, after from audit_log where subject_id = ${apiKeyId} and action = ${action} order by id`.then(
      (rows) => rows.map(({ before, after }) => [before, after].map((text) => JSON.parse(text))),
    );

  test('is set with the key or later, without host bits and duplicates, and is audited', async () => {
    const create = { name: 'Board', storeId: null, ...access, networks: [...access.networks, '203.0.113.0/24'] };
    const { apiKeyId } = await callAs(owner).apiKeys.create(create);
    const created = { scopes: ['ordering'], networks: ['203.0.113.0/24', '2001:db8::1/128'] };
    expect(await find(apiKeyId)).toMatchObject(created);
    expect((await callAs(owner).apiKeys.list({})).items[0]).toMatchObject(created);
    const changed = { scopes: [], networks: ['198.51.100.7/32'] } as const;
    await callAs(owner).apiKeys.setAccess({ apiKeyId, scopes: [], networks: ['198.51.100.7'] });
    expect(await find(apiKeyId)).toMatchObject(changed);
    expect(await auditOf(apiKeyId, 'apiKey.create')).toMatchObject([[null, created]]);
    expect(await auditOf(apiKeyId, 'apiKey.setAccess')).toEqual([[created, changed]]);
    await callAs(owner).apiKeys.setAccess({ apiKeyId, scopes: [...tillScopes], networks: [] });
    expect(await find(apiKeyId)).toMatchObject({ scopes: [...tillScopes], networks: [] });
  });

  test('of webhooks is for keys of all stores, and no key has it unless it is given', async () => {
    const [{ id: storeId }] = merchant.stores;
    const { apiKeys } = callAs(owner);
    const scopes = [...tillScopes, 'webhooks' as const];
    const till = await apiKeys.create({ name: 'Till', storeId });
    const refused = { code: 'BAD_REQUEST', cause: { issues: [{ path: 'scopes' }] } };
    await expect(apiKeys.create({ name: 'Till', storeId, scopes })).rejects.toMatchObject(refused);
    await expect(apiKeys.setAccess({ apiKeyId: till.apiKeyId, scopes, networks: [] })).rejects.toMatchObject(refused);
    await expect(
      database.owner`update api_keys set scopes = '{webhooks}' where id = ${till.apiKeyId}`,
    ).rejects.toMatchObject({ constraint_name: 'api_keys_scopes' });
    const { apiKeyId } = await apiKeys.create({ name: 'Server', storeId: null });
    expect(await find(apiKeyId)).toMatchObject({ scopes: tillScopes });
    await apiKeys.setAccess({ apiKeyId, scopes, networks: [] });
    const rotated = await apiKeys.rotate({ apiKeyId, overlapHours: 0 });
    expect(await find(rotated.apiKeyId)).toMatchObject({ scopes });
  });

  test('applies from the next request on, and stays when the key is rotated', async () => {
    const { apiKeyId, key } = await callAs(owner).apiKeys.create({ name: 'Till', storeId: null });
    const from = (client: string, shown = key) =>
      authenticateKey(services(), shown, client).then(
        ({ scopes }) => scopes,
        ({ code }) => code,
      );
    expect([await from('203.0.113.7'), await from('8.8.8.8')]).toEqual([tillScopes, tillScopes]);
    await callAs(owner).apiKeys.setAccess({ apiKeyId, ...access, networks: [...access.networks] });
    expect([await from('203.0.113.7'), await from('8.8.8.8')]).toEqual([['ordering'], 'network_not_allowed']);
    const next = await callAs(owner).apiKeys.rotate({ apiKeyId, overlapHours: 0 });
    expect([await from('2001:db8::1', next.key), await from('2001:db8::2', next.key)]).toEqual([
      ['ordering'],
      'network_not_allowed',
    ]);
  });

  test.each(['203.0.113.0/33', '203.0.113', '203.0.113.0/', '2001:db8::/129', 'shop.example.com', '', '010.0.0.1'])(
    'a network can’t be “%s”, and the field says so',
    async (network) => {
      const { apiKeyId } = await callAs(owner).apiKeys.create({ name: 'Till', storeId: null });
      const networks = ['203.0.113.0/24', network];
      const issue = [{ path: ['networks', 1], message: 'notANetwork' }];
      const { create, setAccess } = callAs(owner).apiKeys;
      for (const refused of [
        setAccess({ apiKeyId, scopes: [...tillScopes], networks }),
        create({ name: 'T', storeId: null, networks }),
      ]) {
        await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: { issues: issue } });
      }
    },
  );

  test('whatever is accepted as a network can be stored', async () => {
    const { apiKeyId } = await callAs(owner).apiKeys.create({ name: 'Till', storeId: null });
    const networks = [
      '0.0.0.0/0',
      '::/0',
      '::ffff:203.0.113.0/120',
      '::1',
      '1.2.3.4/31',
      'fe80::1/64',
      '::ffff:1.2.3.4',
    ];
    await callAs(owner).apiKeys.setAccess({ apiKeyId, scopes: [...tillScopes], networks });
    expect((await find(apiKeyId)).networks).toHaveLength(networks.length);
    const most = Array.from({ length: 20 }, (_, at) => `203.0.113.${at}`);
    await callAs(owner).apiKeys.setAccess({ apiKeyId, scopes: [...tillScopes], networks: most });
    await expect(
      callAs(owner).apiKeys.setAccess({ apiKeyId, scopes: [...tillScopes], networks: [...most, '203.0.113.20'] }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await find(apiKeyId)).networks).toHaveLength(20);
  });
});

test('a key is rotated once, however many requests come at once', async () => {
  const { apiKeyId } = await callAs(owner).apiKeys.create({ name: 'Till', storeId: null });
  const rotate = () => callAs(owner).apiKeys.rotate({ apiKeyId, overlapHours: 24 });
  const outcomes = await Promise.allSettled([rotate(), rotate(), rotate()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(
    await callAs(owner)
      .apiKeys.list({ state: 'active' })
      .then(({ items }) => items.length),
  ).toBe(2 + 3);
  await expect(rotate()).rejects.toMatchObject({ cause: { code: 'api_key_ended' } });
});

test('a key is revoked at once, also during an overlap; a revoked one can’t be rotated', async () => {
  const { apiKeyId, key } = await callAs(owner).apiKeys.create({ name: 'Till', storeId: null });
  const next = await callAs(owner).apiKeys.rotate({ apiKeyId, overlapHours: 72 });
  await callAs(owner).apiKeys.revoke({ apiKeyId });
  expect([await works(key), await works(next.key)]).toEqual([false, true]);
  await callAs(owner).apiKeys.revoke({ apiKeyId: next.apiKeyId });
  later(1);
  await callAs(owner).apiKeys.revoke({ apiKeyId: next.apiKeyId });
  expect(await works(next.key)).toBe(false);
  const { revokedAt, state } = await find(next.apiKeyId);
  expect([revokedAt, state]).toEqual([new Date('2026-11-20T12:00:00Z'), 'revoked']);
  await expect(callAs(owner).apiKeys.rotate({ apiKeyId: next.apiKeyId, overlapHours: 0 })).rejects.toMatchObject({
    cause: { code: 'api_key_ended' },
  });
  const actions = await database.owner`
    select action from audit_log where merchant_id = ${merchant.id} and subject_id = ${apiKeyId} order by action`;
  expect(actions.map(({ action }) => action)).toEqual([
    ...['apiKey.create', 'apiKey.refused', 'apiKey.revoke', 'apiKey.rotate'],
  ]);
});

test('the list separates inactive keys from active ones, page by page', async () => {
  const { apiKeyId } = await callAs(owner).apiKeys.create({ name: 'Old', storeId: null });
  await callAs(owner).apiKeys.revoke({ apiKeyId });
  const ended = await callAs(owner).apiKeys.list({ state: 'ended' });
  expect(ended.items.map(({ name }) => name)).toEqual(['Old']);
  const first = await callAs(owner).apiKeys.list({ limit: 3 });
  const second = await callAs(owner).apiKeys.list({ limit: 3, after: first.nextCursor ?? '' });
  expect([first.items.length, second.items.length, second.nextCursor]).toEqual([3, 1, null]);
  expect(new Set([...first.items, ...second.items].map((one) => one.apiKeyId)).size).toBe(4);
});

test('another merchant’s keys and stores do not exist', async () => {
  const other = await createMerchant(database.owner);
  const stranger = callAs(await createStaff(database.owner, services(), other.id));
  const { apiKeyId, key } = await callAs(owner).apiKeys.create({ name: 'Till', storeId: null });
  const attempts = [
    () => stranger.apiKeys.get({ apiKeyId }),
    () => stranger.apiKeys.requests({ apiKeyId }),
    () => stranger.apiKeys.rotate({ apiKeyId, overlapHours: 0 }),
    () => stranger.apiKeys.revoke({ apiKeyId }),
    () => stranger.apiKeys.setAccess({ apiKeyId, scopes: [...tillScopes], networks: [] }),
    () => stranger.apiKeys.create({ name: 'Theirs', storeId: merchant.stores[0].id }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await works(key)).toBe(true);
});

describe('a key’s requests', () => {
  let apiKeyId: string;
  beforeEach(async () => {
    ({ apiKeyId } = await callAs(owner).apiKeys.create({ name: 'Till', storeId: null }));
  });
  const use = (status: number, at = now): ApiRequest => ({
    merchantId: merchant.id,
    apiKeyId,
    id: newId(at.getTime()),
    operation: 'ping',
    status,
    errorCode: status < 400 ? null : 'some_code',
    durationMs: 1.25,
    createdAt: at,
  });
  const statuses = async (outcome?: 'succeeded' | 'refused' | 'failed') =>
    (await callAs(owner).apiKeys.requests({ apiKeyId, outcome })).items.map(({ status }) => status);

  test('are listed newest first, by outcome, with the last use', async () => {
    const requests = [200, 402, 503, 200, 404].map((status, n) => use(status, new Date(now.getTime() + n)));
    await saveApiRequests(services(), requests);
    expect(await statuses()).toEqual([404, 200, 503, 402, 200]);
    expect(await statuses('succeeded')).toEqual([200, 200]);
    expect(await statuses('refused')).toEqual([404, 402]);
    expect(await statuses('failed')).toEqual([503]);
    const [first] = (await callAs(owner).apiKeys.requests({ apiKeyId, limit: 1 })).items;
    const last = requests[4];
    expect(first).toEqual({
      requestId: last?.id,
      operation: 'ping',
      status: 404,
      errorCode: 'some_code',
      durationMs: 1.25,
      createdAt: last?.createdAt,
    });
    expect((await find(apiKeyId)).lastUsedAt).toEqual(last?.createdAt);
  });

  test('are deleted after 30 days, except the newest', async () => {
    const days = (n: number) => new Date(now.getTime() - n * 24 * hourMs);
    await saveApiRequests(services(), [use(200, days(29)), use(201, days(31)), use(202, days(40))]);
    const idle = await callAs(owner).apiKeys.create({ name: 'Idle', storeId: null });
    await saveApiRequests(
      services(),
      [50, 60].map((n) => ({ ...use(200, days(n)), apiKeyId: idle.apiKeyId })),
    );
    await deleteOldApiRequests(services());
    await deleteOldApiRequests(services());
    expect(await statuses()).toEqual([200]);
    expect((await find(idle.apiKeyId)).lastUsedAt).toEqual(days(50));
    expect((await callAs(owner).apiKeys.requests({ apiKeyId: idle.apiKeyId })).items).toHaveLength(1);
  });

  test('are deleted in batches', async () => {
    const old = new Date(now.getTime() - 40 * 24 * hourMs);
    await saveApiRequests(
      services(),
      Array.from({ length: 5_003 }, () => use(200, old)),
    );
    await saveApiRequests(services(), [use(200)]);
    await deleteOldApiRequests(services());
    expect(await statuses()).toEqual([200]);
  });
});
