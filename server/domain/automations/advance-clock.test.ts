/** A sandbox merchant's own clock: who may advance it, and what follows it. */
import { Logger, runOnce } from 'graphile-worker';
import { describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { tasks } from '@/server/jobs/tasks';
import { fiveOff } from '@/server/testing/campaigns';
import { createDinerScene } from '@/server/testing/diners';
import { createFixedPackage, createMerchant } from '@/server/testing/factory';
import { refusalOf } from '@/server/testing/menu';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { balancesById } from '../customers/balances';
import { generateQrCode } from '../qr-ordering/qr-codes';
import { getTablePage } from '../qr-ordering/table-page';
import { rollUpReports } from '../reports/roll-up';
import { topUp } from '../top-ups/top-up';

const database = ownDatabase();

const none = async () => {
  throw new Error('nothing is sent in a sandbox');
};

/** Creates a merchant, an owner and a phone. The machine's clock is at 2026-11-20 18:00 in Singapore. */
async function createScene() {
  const scene = await createDinerScene(database);
  const { merchant, services } = scene;
  const { owner } = database;
  const asOwner = async () => {
    // Each request reads the merchant again.
    const ctx = await createStaff(owner, services, merchant.id);
    return { ctx, call: callAs(ctx) };
  };
  const till = () => authenticateKey(services, merchant.stores[0].key);
  const advance = async (to: string) => (await asOwner()).call.settings.advanceClock({ to });
  /** Runs all queued jobs, as the worker does. */
  const work = () =>
    runOnce({
      connectionString: database.url,
      taskList: tasks(services, { sendCode: none, sendNotice: none }, { send: none }),
      logger: new Logger(() => () => {}),
    });
  const ageOf = async () => {
    const [row] = await owner`select clock_ahead_seconds as seconds from merchants where id = ${merchant.id}`;
    return row?.seconds as number;
  };
  return { ...scene, asOwner, till, advance, work, ageOf };
}

describe('the clock', () => {
  test('is advanced for the next request of staff, tills and phones of this merchant alone', async () => {
    const { advance, asOwner, till, services, comeIn, customerWithPhone } = await createScene();
    const other = await createMerchant(database.owner);
    const { phone } = await customerWithPhone();
    const device = await comeIn(phone);
    const to = '2027-03-01T02:00:00.000Z';
    await advance(to);
    expect((await till()).clock.now().toISOString()).toBe(to);
    expect((await asOwner()).ctx.clock.now().toISOString()).toBe(to);
    // By the machine's clock, the session is still valid.
    expect(await device.api.account.get()).toMatchObject({ isBlocked: false });
    expect((await authenticateKey(services, other.key)).clock.now()).toEqual(services.systemClock.now());
  });

  test('only moves forwards, by at most two years', async () => {
    const { advance, ageOf } = await createScene();
    const wrong = { code: 'invalid_request', paths: ['to'] };
    expect(await refusalOf(advance('2026-11-20T10:00:00Z'))).toEqual(wrong);
    await advance('2026-12-20T10:00:00Z');
    expect(await refusalOf(advance('2026-12-20T10:00:00Z'))).toEqual(wrong);
    expect(await refusalOf(advance('2026-12-01T10:00:00Z'))).toEqual(wrong);
    expect(await refusalOf(advance('2028-12-01T10:00:00Z'))).toEqual(wrong);
    expect(await ageOf()).toBe(30 * 24 * 60 * 60);
    await advance('2028-11-20T10:00:00Z');
  });

  test('is advanced once when two people click at once, audited, and sent to all screens', async () => {
    const { advance, ageOf, merchant } = await createScene();
    const both = await Promise.allSettled([advance('2026-11-21T10:00:00Z'), advance('2026-11-21T10:00:00Z')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await ageOf()).toBe(24 * 60 * 60);
    const rows = await database.owner`
      select after from audit_log where merchant_id = ${merchant.id} and action = 'settings.advanceClock'`;
    expect(rows.map(({ after }) => JSON.parse(after))).toEqual([
      { clockAheadSeconds: 86_400, to: '2026-11-21T10:00:00Z' },
    ]);
  });

  test('can’t be advanced in production, where the merchant’s row is ignored', async () => {
    const { asOwner, services, merchant } = await createScene();
    const { ctx } = await asOwner();
    const live = { ...ctx, environment: 'live' as const };
    expect((await refusalOf(callAs(live).settings.advanceClock({ to: '2026-12-01T00:00:00Z' }))).code).toBe(
      'sandbox_only',
    );
    await database.owner`update merchants set clock_ahead_seconds = 86400 where id = ${merchant.id}`;
    const staff = await createStaff(database.owner, { ...services, environment: 'live' }, merchant.id);
    expect(staff.clock.now()).toEqual(services.systemClock.now());
  });

  test('is compared with a till’s own time', async () => {
    const { advance, till, customerWithPhone, merchant } = await createScene();
    const { id: customerId } = await customerWithPhone();
    const packageId = await createFixedPackage(database.owner, merchant.id, { amount: 1_000, bonus: 200 });
    await advance('2027-03-01T02:00:00Z');
    const pay = async (transactionId: string, occurredAt: string) =>
      topUp(await till(), { transactionId, customer: { customerId }, packageId, occurredAt });
    await pay('near', '2027-03-01T01:58:00Z');
    expect(await refusalOf(pay('far', '2026-11-20T10:00:00Z'))).toEqual({
      code: 'invalid_request',
      paths: ['occurredAt'],
    });
  });

  test('decides how long a table’s code lasts', async () => {
    const { advance, till, services } = await createScene();
    await advance('2027-03-01T02:00:00Z');
    const { url } = await generateQrCode(await till(), { billId: 'B-1' });
    const page = () => getTablePage(services, { token: url.split('/').at(-1) ?? '', client: '192.0.2.1' }, null);
    expect((await page()).state).toBe('open');
    await advance('2027-03-01T05:59:00Z');
    expect((await page()).state).toBe('open');
    await advance('2027-03-01T06:01:00Z');
    expect((await page()).state).toBe('expired');
  });

  test('does not affect security limits: keys expire by the machine’s time', async () => {
    const { advance, asOwner, services, passSeconds } = await createScene();
    const { call } = await asOwner();
    const { apiKeyId, key } = await call.apiKeys.create({ name: 'Till', storeId: null });
    await call.apiKeys.rotate({ apiKeyId, overlapHours: 24 });
    await advance('2027-03-01T02:00:00Z');
    expect((await authenticateKey(services, key)).apiKeyId).toBe(apiKeyId);
    passSeconds(24 * 60 * 60);
    await expect(authenticateKey(services, key)).rejects.toThrow('not valid');
  });
});

test('runs what becomes due at once: vouchers are issued, value expires, and all screens agree', async () => {
  const { advance, asOwner, till, work, customerWithPhone, comeIn, merchant } = await createScene();
  const customer = await customerWithPhone();
  const customerId = customer.id;
  await database.owner`update customers set birthday = '1990-12-24' where id = ${customerId}`;
  const packageId = await createFixedPackage(database.owner, merchant.id, {
    amount: 1_000,
    bonus: 200,
    bonus_expires_in_days: 30,
  });
  const { call } = await asOwner();
  await call.campaigns.create({ ...fiveOff, trigger: 'birthday', validityDays: 30 });
  await topUp(await till(), { transactionId: 'one', customer: { customerId }, packageId });
  const device = await comeIn(customer.phone);
  await advance('2026-12-25T02:00:00Z');
  await work();

  const { storedValue, vouchers } = await balancesById(await till(), customerId);
  expect(storedValue).toMatchObject({ balance: 1_000, bonus: 0 });
  expect(vouchers).toMatchObject([{ name: 'Five off', issuedAt: '2026-12-25T02:00:00.000Z' }]);
  expect(await device.api.account.get()).toMatchObject({
    storedValue: { balance: 1_000 },
    vouchers: [{ name: 'Five off' }],
  });
  const seen = (await (await asOwner()).call.automations.list()).map(({ task, runs: [last] }) => [task, last] as const);
  expect(Object.fromEntries(seen)).toMatchObject({
    'begin-voucher-occasions': { state: 'finished', done: 36 },
    'issue-vouchers': { state: 'finished', done: 1 },
    'expire-value': { state: 'finished', done: 1 },
  });
});

test('reports count everything once, though the clock was advanced during a transaction', async () => {
  const { advance, till, services, passSeconds, customerWithPhone, merchant, asOwner } = await createScene();
  const { id: customerId } = await customerWithPhone();
  const packageId = await createFixedPackage(database.owner, merchant.id, { amount: 1_000, bonus: 0 });
  const [early, pay] = [
    await till(),
    async (ctx: Awaited<ReturnType<typeof till>>, transactionId: string) =>
      topUp(ctx, { transactionId, customer: { customerId }, packageId }),
  ];
  await pay(early, 'before');
  passSeconds(120);
  await rollUpReports(services);
  await advance('2027-01-20T10:00:00Z');
  await pay(await till(), 'after');
  passSeconds(30);
  await rollUpReports(services);
  // It began earlier, so its id has the earlier time.
  await pay(early, 'late');
  passSeconds(120);
  await rollUpReports(services);
  await pay(await till(), 'last');
  passSeconds(120);
  await rollUpReports(services);
  const days = await database.owner`
    select day::text, sum(count)::int as count from transaction_days where merchant_id = ${merchant.id} group by day order by day`;
  expect([...days]).toEqual([
    { day: '2026-11-20', count: 2 },
    { day: '2027-01-20', count: 2 },
  ]);
  const { call } = await asOwner();
  const { total } = await call.reports.sales({ from: '2026-11-01', to: '2027-02-28' });
  expect(total).toMatchObject({ topUpCount: 4, topUps: 4_000 });
});
