import { beforeAll, describe, expect, test } from 'vitest';
import { appRole } from '@/db/driver';
import { createKey, createMerchant } from '@/server/testing/factory';
import { createHistory } from '@/server/testing/merchant-history';
import { operationSuite } from '../expectations';
import { ledgerViolations, newTransactionId, restApi } from '../harness';
import { performCall } from '../operations';
import { callOf, createFullStage, type FullStage, plainSale } from '../ordering-operations';

const api = restApi({ own: true });
const { expectError, expectSuccess, coversReference } = operationSuite('resetSandbox');
const reset = (key: string | undefined, body: object = {}) => api.post(key, '/sandbox/reset', body);

/** What stays, and why. All other tables of merchants are emptied. */
const kept: Record<string, string[]> = {
  'the business, its stores and staff': [
    'merchants',
    'stores',
    'memberships',
    'membership_stores',
    'invitations',
    'invitation_stores',
    'dining_tables',
  ],
  'keys, and what they were used for': ['api_keys', 'api_key_days'],
  'what staff gave': ['staff_days'],
  'addresses of receivers': ['webhook_endpoints'],
  'what it offers': [
    ...['menu_categories', 'menu_items', 'menu_item_stores', 'menu_option_groups', 'menu_options', 'menu_photos'],
    ...['menu_item_option_groups', 'stored_value_packages', 'stored_value_package_stores', 'voucher_campaigns'],
    ...['voucher_campaign_stores', 'message_templates', 'ordering_settings'],
  ],
  'where it is at home': ['merchant_moves', 'moved_references'],
  'who did what': ['audit_log'],
  'where events go': ['webhook_endpoints'],
};

/** Without the list of requests, which is written a little later. */
async function rowsOf(merchantId: string): Promise<Record<string, number>> {
  const tables = await api.owner<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'merchant_id' and table_name <> 'api_requests' order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await api.owner.unsafe(`select count(*)::int as rows from ${name} where merchant_id = $1`, [
      merchantId,
    ]);
    counts[name] = row?.rows ?? 0;
  }
  return counts;
}

describe('200', () => {
  test('empties every table but those of what stays, of this merchant alone', async () => {
    const database = { owner: api.owner, db: api.db } as Parameters<typeof createHistory>[0];
    const [own, other] = [
      await createHistory(database, { seed: 7 }),
      await createHistory(database, { seed: 8, steps: 40 }),
    ];
    const { key, id } = own.merchant;
    await api.owner`update merchants set records_events = true, event_types = null where id = ${id}`;
    await api.post(own.merchant.stores[0].key, '/stock-outs', { plus: ['X-1'] });
    await api.post(key, '/sandbox/clock', { seconds: 86_400 });
    const [before, others] = [await rowsOf(id), await rowsOf(other.merchant.id)];
    expect(before.events).toBe(1);
    expect(Object.values(before).filter((rows) => rows > 0).length).toBeGreaterThan(25);
    const { now } = expectSuccess(await reset(key));
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(5_000);
    const after = await rowsOf(id);
    const stays = Object.values(kept).flat();
    for (const [table, rows] of Object.entries(after)) {
      if (stays.includes(table)) expect([table, rows > 0 || before[table] === 0]).toEqual([table, true]);
      else expect([table, rows]).toEqual([table, 0]);
    }
    expect(await rowsOf(other.merchant.id)).toEqual(others);
    const [clock] = await api.owner`select clock_ahead_seconds as ahead from merchants where id = ${id}`;
    expect(clock?.ahead).toBe(0);
    const [entry] = await api.owner`
      select action, actor_kind from audit_log where merchant_id = ${id} order by id desc limit 1`;
    expect(entry).toEqual({ action: 'settings.resetSandbox', actor_kind: 'apiKey' });
  });

  test('a table of merchants is emptied, or is among those that stay', async () => {
    const [{ body = '' } = {}] = await api.owner<{ body: string }[]>`
      select prosrc as body from pg_proc where proname = 'reset_sandbox_merchant'`;
    const emptied = [...body.matchAll(/'(\w+)'/g)].map(([, name]) => name);
    const tables = Object.keys(await rowsOf((await createMerchant(api.owner)).id));
    const unknown = tables.filter((table) => emptied.includes(table) === Object.values(kept).flat().includes(table));
    expect(unknown).toEqual([]);
  });

  test('everything works from the start, with the same ids as before', async () => {
    const stage = await createFullStage(api);
    const customer = { givenName: 'Ada', lastName: 'Tan', phone: '+6581230042' };
    const sale = plainSale(1_000, { transactionId: newTransactionId() });
    for (let round = 0; round < 2; round++) {
      const { body } = await api.post(stage.key, '/customers', customer);
      const ref = { customerId: body.customerId };
      const sold = await api.post(stage.key, '/sales', { ...sale, customer: ref });
      expect([sold.status, sold.headers.get('idempotent-replayed')], sold.text).toEqual([200, null]);
      const topUp = { transactionId: 'once', customer: ref, packageId: stage.packageId };
      expect((await api.post(stage.key, '/transactions/stored-value/top-up', topUp)).status).toBe(200);
      expectSuccess(await reset(stage.key));
    }
    expect(await ledgerViolations(api)).toEqual([]);
  });

  test('twice, and several at once', async () => {
    const { key } = await createFullStage(api);
    for (const answer of await Promise.all([reset(key), reset(key), reset(key)])) expectSuccess(answer);
    expectSuccess(await reset(key));
  });

  test('while tills are at work: nothing is half there, and no response is a fault', async () => {
    const stage = await createFullStage(api);
    const one = async (): Promise<number> => {
      const { customer, packageId, key } = stage;
      const body = { transactionId: newTransactionId(), customer: { customerId: customer.id } };
      const [topUp, sale] = await Promise.all([
        api.post(key, '/transactions/stored-value/top-up', { ...body, packageId }),
        api.post(key, '/sales', plainSale(500, { ...body, transactionId: newTransactionId() })),
      ]);
      expect([200, 404], topUp.text).toContain(topUp.status);
      expect([200, 404], sale.text).toContain(sale.status);
      const voided = await api.post(key, '/transactions/void', { transactionIds: [body.transactionId] });
      expect(voided.status, voided.text).toBe(200);
      return topUp.status;
    };
    const tills = Array.from({ length: 8 }, async () => {
      const statuses: number[] = [];
      while (statuses.at(-1) !== 404 && statuses.length < 500) statuses.push(await one());
      return statuses;
    });
    await expect.poll(async () => (await rowsOf(stage.merchant.id)).transactions).toBeGreaterThan(20);
    expectSuccess(await reset(stage.key));
    for (const statuses of await Promise.all(tills)) expect(statuses.at(-1)).toBe(404);
    expect(await rowsOf(stage.merchant.id)).toMatchObject({ customers: 0, balances: 0, lots: 0, ledger_entries: 0 });
    expect(await ledgerViolations(api)).toEqual([]);
  });

  test('ends the faults of its key', async () => {
    const { key } = await createMerchant(api.owner);
    await api.post(key, '/sandbox/faults', { next: ['service_unavailable'] });
    expectSuccess(await reset(key));
    expect((await api.get(key, '/ping')).status).toBe(200);
  });
});

describe('the database refuses', () => {
  const asApp = (merchantId: string, named = merchantId) =>
    api.owner.begin(async (sql) => {
      await sql.unsafe(`set local role ${appRole}; set local app.merchant_id = '${named}'`);
      await sql`select reset_sandbox_merchant(${merchantId})`;
    });

  test('a merchant with a live key, one without any, and another than the named one', async () => {
    const [own, live] = [await createMerchant(api.owner), await createMerchant(api.owner)];
    await createKey(api.owner, live.id, null, { environment: 'live', revoked_at: new Date() });
    const keyless = await createMerchant(api.owner);
    await api.owner`delete from api_keys where merchant_id = ${keyless.id}`;
    const refused = 'only a merchant of a sandbox can be reset';
    await expect(asApp(live.id)).rejects.toThrow(refused);
    await expect(asApp(keyless.id)).rejects.toThrow(refused);
    await expect(asApp(own.id, live.id)).rejects.toThrow(refused);
    await asApp(own.id);
  });
});

describe('refusals, and nothing is deleted', () => {
  let stage: FullStage;
  beforeAll(async () => {
    stage = await createFullStage(api);
  });

  test('400 invalid_request', async () => {
    const before = await rowsOf(stage.merchant.id);
    const { issues } = expectError(await reset(stage.key, { merchantId: stage.merchant.id }), 400, 'invalid_request');
    expect(issues).toEqual([{ path: 'merchantId', message: 'is not a field of this request' }]);
    expect(await rowsOf(stage.merchant.id)).toEqual(before);
  });

  test('401 invalid_api_key', async () => {
    expectError(await reset(undefined), 401, 'invalid_api_key');
  });

  test('503 while a row of it is locked for long, and then it works', async () => {
    const before = await rowsOf(stage.merchant.id);
    const locker = await api.owner.reserve();
    await locker.unsafe(`begin; select from customers where id = '${stage.customer.id}' for update`);
    const answer = await reset(stage.key);
    await locker.unsafe('rollback');
    locker.release();
    expect(answer.status).toBe(503);
    expect(await rowsOf(stage.merchant.id)).toEqual(before);
    expect((await performCall(api, stage.key, await callOf(api, 'topUpStoredValue', stage))).status).toBe(200);
    expectSuccess(await reset(stage.key));
  });
});

coversReference();
