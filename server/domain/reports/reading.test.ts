/** Reports and exports on a real streaming replica that is up to date, behind, slow or gone. */

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { appRole, connectDatabase, type Database, limitToStores, openSql, type Sql, withMerchant } from '@/db/driver';
import { freePort } from '@/db/operations/ports';
import { measureReplica } from '@/db/operations/replica';
import { customers } from '@/db/schema';
import { type ReplicatedServer, startReplicated } from '@/db/testing/replica';
import { authCookies } from '@/server/auth/cookies';
import { exports } from '@/server/csv/exports';
import type { StaffContext } from '@/server/domain/kernel/context';
import { billOf } from '@/server/testing/bill-payments';
import { testSecret } from '@/server/testing/factory';
import { sessionOf } from '@/server/testing/people';
import { useSettings } from '@/server/testing/settings';
import { callAs } from '@/server/testing/staff';
import { exportQueries } from '@/server/testing/tenancy/export-queries';
import { period } from '@/server/testing/tenancy/period';
import { createTenancyStage, type TenancyStage } from '@/server/testing/tenancy/stage';
import { putBill } from '../bills/put';
import { openReport } from './reading';

let jar: { name: string; value: string }[] = [];
// Next provides cookies only inside its own requests.
vi.mock('next/headers', () => ({ cookies: async () => ({ getAll: () => jar }) }));

let server: ReplicatedServer;
let owner: Sql;
let db: Database;
let stage: TenancyStage;
let theirs: TenancyStage;
/** What the log would say about the replica. */
let said: (string | null)[];
const closing: (() => Promise<unknown>)[] = [];

/** Connects like a process of the service that has just started. */
function start(replicaUrl = server.replica.url('loyalty'), url = server.primary.url('loyalty')): Database {
  const replica = { url: replicaUrl, onChange: (problem: string | null) => said.push(problem) };
  const started = connectDatabase(url, { role: appRole, replica });
  closing.push(started.close);
  return started;
}

const managerOn = (own: Database): StaffContext => ({ ...stage.staff.manager, db: own });

beforeAll(async () => {
  said = [];
  server = await startReplicated();
  owner = openSql(server.primary.url('loyalty'), { max: 3 });
  db = start();
  const database = { db, owner, url: server.primary.url('loyalty'), drop: async () => {} };
  stage = await createTenancyStage(database, 'Aardvark', false);
  theirs = await createTenancyStage(database, 'Zanzibar', true);
  await putBill(stage.till, billOf('B-1', 1_000));
  await owner`
    insert into bill_payments (merchant_id, id, bill_uid, state, amount, kept_amount, held_until, taken_at)
    select merchant_id, gen_random_uuid(), id, 'taken', 100, 100, now(), now() from bills
    where merchant_id = ${stage.merchant.id} and bill_id = 'B-1'`;
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await owner?.end();
  await server?.stop();
});
beforeEach(async () => {
  await server.resume();
  await server.catchUp();
  said = [];
});

/** The customer's name according to the database for reports. */
const nameIn = async ({ db: own, merchant }: StaffContext) =>
  (
    await withMerchant(own, merchant.id, (tx) =>
      tx.db.select({ id: customers.id, name: customers.givenName }).from(customers),
    )
  ).find(({ id }) => id === stage.customer.id)?.name;

const rename = (name: string) => owner`update customers set given_name = ${name} where id = ${stage.customer.id}`;

const fileOf = async (ctx: StaffContext, name: string) => {
  const query = name === 'api-requests' ? { apiKeyId: stage.till.apiKeyId } : (exportQueries[name]?.(stage) ?? {});
  return text((exports[name] as (typeof exports)[string]).open(ctx, query) as never);
};

test('every export and report that may read the replica works there, and says the same', async () => {
  const { ctx } = await openReport(stage.staff.owner);
  const files = Object.entries(exports).filter(([, { readsReplica }]) => readsReplica);
  for (const [name] of files) {
    const file = await fileOf(ctx, name);
    expect(file.trim().split('\n').length, name).toBeGreaterThan(1);
    expect(file, name).toBe(await fileOf(stage.staff.owner, name));
  }
  const { reports } = callAs(stage.staff.owner);
  const page = { day: period.to };
  for (const read of [
    () => reports.sales(period),
    () => reports.liability(period),
    () => reports.points(period),
    () => reports.vouchers(period),
    () => reports.balances(page),
  ])
    expect((await read()).asOf).toBeInstanceOf(Date);
  expect(await reports.breakdown({ ...period, by: 'item' })).not.toEqual([]);
  expect((await reports.credit()).never.principal).toBeGreaterThan(0);
  expect(said).toEqual([]);
});

describe('a replica that is behind', () => {
  test('shows what it has, and since when, while balances and lists are of now', async () => {
    await rename('Before');
    await server.catchUp();
    await server.pause();
    const pausedAt = Date.now();
    await rename('After');
    const { ctx, asOf } = await openReport(stage.staff.owner);
    expect(asOf?.getTime()).toBeLessThanOrEqual(pausedAt);
    expect(asOf?.getTime()).toBeGreaterThan(pausedAt - 30_000);
    expect(await nameIn(ctx)).toBe('Before');
    expect(await fileOf(ctx, 'customers')).toContain('Before');
    const { reports, customers: list } = callAs(stage.staff.owner);
    const balances = await reports.balances({ day: period.to });
    expect(balances.items.map(({ givenName }) => givenName)).toContain('Before');
    expect(balances.asOf?.getTime()).toBeLessThanOrEqual(pausedAt);
    const { items } = await list.list({ search: stage.customer.phone });
    expect(items.map(({ givenName }) => givenName)).toEqual(['After']);
    await server.resume();
    await server.catchUp();
    expect(await nameIn((await openReport(stage.staff.owner)).ctx)).toBe('After');
  });

  test('for more than a minute is not read, and the log says so once; then it is read again', async () => {
    const late = start(undefined, await aheadOf(61));
    await rename('Before');
    await server.catchUp();
    await server.pause();
    await rename('After');
    const ctx = managerOn(late);
    for (let n = 0; n < 2; n++) {
      const reading = await openReport(ctx);
      expect(reading.asOf).toBeNull();
      expect(await nameIn(reading.ctx)).toBe('After');
    }
    expect(said).toEqual(['it is too far behind']);
    expect(await measure(late)).toMatchObject({ isUsed: false });
    await server.resume();
    await server.catchUp();
    expect((await openReport(ctx)).asOf).not.toBeNull();
    expect(said).toEqual(['it is too far behind', null]);
    expect(await measure(late)).toEqual({ behindMs: 0, isUsed: true });
  });

  test('within a minute, but further than a file’s name says: the rest of the file is read from the primary', async () => {
    const url = new URL(await aheadOf(30));
    const { ctx } = await openReport(managerOn(start(undefined, url.href)));
    await rename('Before');
    await server.catchUp();
    await server.pause();
    await rename('After');
    expect(await nameIn(ctx)).toBe('After');
  });
});

/** Returns the primary's address through a clock that is ahead, so that the replica's data looks that much older. */
async function aheadOf(seconds: number): Promise<string> {
  const name = `ahead_${seconds}`;
  await owner.unsafe(`create schema if not exists ${name}; grant usage on schema ${name} to ${appRole};
    create or replace function ${name}.clock_timestamp() returns timestamptz language sql
      as $$ select pg_catalog.clock_timestamp() + interval '${seconds} s' $$`);
  const url = new URL(server.primary.url('loyalty'));
  url.searchParams.set('search_path', `${name}, pg_catalog, public`);
  return url.href;
}

const measure = (own: Database) => measureReplica(own, own.replica as NonNullable<Database['replica']>);

describe('a server that is no replica of this database', () => {
  test.each([
    ['the primary itself', () => server.primary.url('loyalty')],
    ['another database of it', () => server.replica.url('postgres')],
  ])('%s is not read', async (_, address) => {
    const reading = await openReport(managerOn(start(address())));
    expect(reading.asOf).toBeNull();
    expect(await nameIn(reading.ctx)).toBeDefined();
    expect(said).toEqual(['it is no replica of this database, or signs in as another role']);
  });

  test('nor one where the session is of another role, whom row-level security may not bind', async () => {
    const url = new URL(server.replica.url('loyalty'));
    url.searchParams.set('role', 'postgres');
    const asAnother = start(url.href);
    expect((await openReport(managerOn(asAnother))).asOf).toBeNull();
    expect(said).toEqual(['it is no replica of this database, or signs in as another role']);
  });
});

/** On a busy machine the replica may be late, and the primary is read until it has caught up. */
const onReplica = (staff: Parameters<typeof openReport>[0]) =>
  vi.waitFor(
    async () => {
      const reading = await openReport(staff);
      expect(reading.asOf).not.toBeNull();
      return reading;
    },
    { timeout: 40_000 },
  );

test('row-level security holds on the replica: other merchants and other stores are not seen, and nothing is written', {
  timeout: 120_000,
}, async () => {
  const { ctx } = await onReplica(stage.staff.owner);
  const seen = await withMerchant(ctx.db, stage.merchant.id, (tx) =>
    tx.db.select({ merchantId: customers.merchantId }).from(customers),
  );
  expect(new Set(seen.map(({ merchantId }) => merchantId))).toEqual(new Set([stage.merchant.id]));
  expect(await nameIn({ ...ctx, merchant: theirs.merchant as never })).toBeUndefined();
  const [first, second] = stage.merchant.stores;
  const files = await Promise.all(
    [first, second].map(async ({ id }) => {
      const limited = limitToStores(db, [id]);
      const reading = await onReplica({ ...stage.staff.manager, db: limited });
      return text(exports.transactions?.open(reading.ctx, {}) as never);
    }),
  );
  expect(files[0]).toContain(`At ${first.storeCode}`);
  expect(files[1]).not.toContain(`At ${first.storeCode}`);
  await expect(
    withMerchant(ctx.db, stage.merchant.id, (tx) => tx.db.update(customers).set({ givenName: 'Written' })),
  ).rejects.toMatchObject({ code: '25006' });
});

test('through the route, a file’s name says as of when it is, and the primary records who got it; Prometheus sees it', async () => {
  const port = await freePort();
  const restore = useSettings({
    APP_ENV: 'sandbox',
    AUTH_SECRET: testSecret,
    DATA_SECRET: testSecret,
    LOG_LEVEL: 'silent',
    DATABASE_URL: server.primary.url('loyalty'),
    DATABASE_REPLICA_URL: server.replica.url('loyalty'),
    DATABASE_OWNER_URL: '',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    METRICS_PORT: port,
  });
  const { getServices } = await import('@/server/environment/services');
  const { env } = await import('@/server/environment/env');
  const { serveMetrics } = await import('@/server/process/metrics-server');
  const route = await import('@/app/(back-office)/export/[list]/route');
  const metrics = await serveMetrics(env(), getServices());
  const { merchant, staff } = stage.staff.owner;
  const sessionToken = await sessionOf(getServices(), staff.userId);
  const value = await encode({ token: { sub: staff.userId, sessionToken }, secret: testSecret });
  jar = [{ name: authCookies('http://localhost:3000').sessionToken.name, value }];
  const nameOf = async (list: string) => {
    const request = new Request(`http://localhost:3000/export/${list}?merchant=${merchant.id}`);
    const answer = await route.GET(request, { params: Promise.resolve({ list }) });
    await answer.text();
    return answer.headers.get('content-disposition');
  };
  const before = await countExports();
  expect(await nameOf('transactions')).toMatch(/"transactions-\d{4}-\d\d-\d\d-as-of-\d\d\.\d\d\.\d\d\.csv"$/);
  expect(await countExports()).toBe(before + 1);
  // A menu is edited and imported again.
  expect(await nameOf('menu')).toMatch(/"menu-\d{4}-\d\d-\d\d\.csv"$/);
  const scraped = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(scraped).toMatch(/^loyalty_replica_used\{.*\} 1$/m);
  expect(scraped).toMatch(/^loyalty_replica_behind_seconds\{.*\} 0$/m);
  await metrics.stop();
  await getServices().db.close();
  restore();
});

const countExports = async () =>
  (await owner`select from audit_log where merchant_id = ${stage.merchant.id} and action like '%export%'`).length;

test('a server that accepts connections and says nothing costs one report a second, and the next ones nothing', async () => {
  let asked = 0;
  const mute = createServer((socket) => {
    asked += 1;
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { port } = mute.address() as AddressInfo;
  const own = start(`postgres://nobody@127.0.0.1:${port}/loyalty`);
  expect((await openReport(managerOn(own))).asOf).toBeNull();
  expect(asked).toBeGreaterThan(0);
  const [before, began] = [asked, performance.now()];
  for (let n = 0; n < 20; n++) expect((await openReport(managerOn(own))).asOf).toBeNull();
  expect(asked - before).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 1_000));
  expect(said).toEqual(['it does not answer']);
  mute.close();
});

test('a replica that dies in the middle of a report: the primary finishes it, and is read from then on', async () => {
  const { ctx } = await openReport(stage.staff.owner);
  let runs = 0;
  const found = await withMerchant(ctx.db, stage.merchant.id, async (tx) => {
    runs += 1;
    const before = await tx.db.select({ id: customers.id }).from(customers);
    if (runs === 1) {
      process.kill(server.replica.pid(), 'SIGKILL');
      // Backends end when they start to wait.
      await tx.db.run(sql`select pg_sleep(60)`);
    }
    const after = await tx.db.select({ id: customers.id }).from(customers);
    return [before.length, after.length];
  });
  expect(found[0]).toBe(found[1]);
  expect(runs).toBe(2);
  const reading = await openReport(stage.staff.owner);
  expect(reading.asOf).toBeNull();
  expect(await nameIn(reading.ctx)).toBeDefined();
  expect(said).toEqual(['it does not answer']);
  await expect(measure(db)).rejects.toThrow('it does not answer');
  await server.replica.restart();
  expect((await openReport(managerOn(start()))).asOf).not.toBeNull();
});
