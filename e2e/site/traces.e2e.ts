/** Traces across the processes of a service: those of the front door, of Next and of the worker; and none without a collector. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { encode } from 'next-auth/jwt';
import postgres from 'postgres';
import { appRole, connectDatabase } from '@/db/driver';
import { migrate } from '@/db/operations/migrate';
import { freePort } from '@/db/operations/ports';
import { secretsIn } from '@/db/testing/secrets';
import { authCookies } from '@/server/auth/cookies';
import { createMerchant, testSecret, testServices } from '@/server/testing/factory';
import { sessionOf } from '@/server/testing/people';
import { createStaff } from '@/server/testing/staff';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';
import { startFakeOtlp, treeBelow } from '../fixtures/fake-otlp';
import { serviceEnvironment } from '../fixtures/service-environment';
import { expect, test } from '../fixtures/test';

/** Writes the modules that a process of the service has loaded, as it ends. */
const listModules = `process.once('exit', () => require('node:fs').writeFileSync(
  require('node:path').join(__dirname, process.pid + '.json'), JSON.stringify(Object.keys(require.cache))));`;

/** The SDK. Next and prom-client load OpenTelemetry's API by themselves, which does nothing. */
const sdk = /node_modules\/@opentelemetry\/(?!api\/)/;

let server: postgres.Sql;
let owner: postgres.Sql;
let databaseUrl: string;

test.beforeAll(async ({ demo }) => {
  server = postgres(demo.databaseUrl, { max: 1, onnotice: () => {} });
  await server`drop database if exists traced with (force)`;
  await server`create database traced`;
  databaseUrl = Object.assign(new URL(demo.databaseUrl), { pathname: '/traced' }).href;
  await migrate(databaseUrl);
  owner = postgres(databaseUrl, { max: 1, onnotice: () => {} });
});
test.afterAll(async () => {
  await owner.end();
  await server`drop database traced with (force)`;
  await server.end();
});

/** Runs a service while `work` uses it. Returns the modules that each of its processes had loaded at its end. */
async function withService(
  settings: Record<string, string>,
  work: (origin: string) => Promise<unknown>,
): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-modules-'));
  writeFileSync(join(folder, 'list.cjs'), listModules);
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/loyalty.js', 'start'], {
    stdio: 'ignore',
    env: serviceEnvironment({
      AUTH_SECRET: testSecret,
      DATA_SECRET: testSecret,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      NODE_OPTIONS: `--require ${join(folder, 'list.cjs')}`,
      ...settings,
    }),
  });
  const origin = `http://localhost:${port}`;
  try {
    await untilReady(child, origin);
    await work(origin);
  } finally {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  const lists = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return lists.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

async function untilReady(child: ChildProcess, origin: string): Promise<void> {
  while (
    !(await fetch(`${origin}/api/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    await wait(100);
  }
}

test('a call of staff is one trace from the front door to the database, and its job is linked', async () => {
  const collector = await startFakeOtlp();
  const { id } = await createMerchant(owner);
  const db = connectDatabase(databaseUrl, { role: appRole, max: 2 });
  const services = testServices(db);
  const { staff } = await createStaff(owner, services, id, 'owner');
  const sessionToken = await sessionOf(services, staff.userId);
  const value = await encode({ token: { sub: staff.userId, sessionToken }, secret: testSecret });
  await db.close();

  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: 'shop' };
  const modules = await withService(settings, async (origin) => {
    const headers = {
      [merchantHeader]: id,
      origin,
      'content-type': 'application/json',
      cookie: `${authCookies(origin).sessionToken.name}=${value}`,
    };
    const call = (procedure: string, init: RequestInit = {}) =>
      fetch(`${origin}/api/trpc/${procedure}`, { headers, ...init });
    expect((await call('stores.list')).status).toBe(200);
    const body = JSON.stringify({ task: 'expire-value' });
    const ran = await call('automations.runNow', { method: 'POST', body });
    expect([ran.status, await ran.text()]).toEqual([200, expect.any(String)]);
    await expect
      .poll(async () => (await owner`select 1 from job_runs where ended_at is not null and merchant_id = ${id}`).length)
      .toBe(1);
    expect((await fetch(`${origin}/loyalty/${id}`)).status).toBe(200);
    expect((await fetch(`${origin}/q/${'x'.repeat(22)}?who=Meilin`)).status).toBe(404);
  });

  const { spans } = collector;
  const requests = spans.filter(({ kind }) => kind === 2);
  // The last spans are sent as the processes end.
  expect(requests.map(({ name }) => name)).toEqual([
    'GET /api/trpc/[trpc]',
    'POST /api/trpc/[trpc]',
    'GET /loyalty/[merchantId]',
    'GET /q/[token]',
  ]);
  const [list, run] = requests;
  expect(list).toMatchObject({ process: 'service', attributes: { 'http.response.status_code': 200 } });
  expect(treeBelow(spans, list?.spanId ?? '')).toContainEqual(['stores.list', 'transaction']);
  expect(spans.find(({ name }) => name === 'stores.list')).toMatchObject({
    process: 'next',
    traceId: list?.traceId,
  });
  const [job] = spans.filter(({ name }) => name === 'job run-automation');
  expect(job?.process).toBe('service');
  expect(job?.links.map(({ traceId }) => traceId)).toEqual([run?.traceId]);
  expect(secretsIn(collector.text())).toEqual([]);
  for (const canary of [id, staff.userId, staff.email, 'xxxxxx', 'Meilin', value])
    expect(collector.text()).not.toContain(canary);
  // A control of the next test.
  expect(modules.map((files) => files.some((file) => sdk.test(file)))).toEqual([true, true]);
  await collector.stop();
});

test('without a collector, neither process loads anything of the SDK', async () => {
  const modules = await withService({}, async (origin) => {
    expect((await fetch(`${origin}/sign-in`)).status).toBe(200);
    expect((await fetch(`${origin}/api/v1/ping`)).status).toBe(401);
  });
  expect(modules).toHaveLength(2);
  expect(modules.flat().filter((file) => sdk.test(file))).toEqual([]);
});
