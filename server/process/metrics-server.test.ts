import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '@/db/operations/ports';
import { sharedDatabase } from '@/db/testing/database';
import { readEnv } from '../environment/env';
import { createLogger } from '../observe/log';
import { type MetricFamilies, metricsRegistry } from '../observe/metrics';
import { createRestHandler } from '../rest/handler';
import { createRequestLog } from '../rest/request-log';
import { createMerchant, testServices } from '../testing/factory';
import { serveMetrics } from './metrics-server';

const secret = 'thirty-two characters, for tests only';
const settings = { APP_ENV: 'sandbox', DATABASE_URL: 'postgres://none', AUTH_SECRET: secret, DATA_SECRET: secret };

const database = sharedDatabase();
let address: string;
let stop: () => Promise<void>;
let next: MetricFamilies | null = null;

beforeAll(async () => {
  // The tests of a process share the registry.
  metricsRegistry.resetMetrics();
  const port = await freePort();
  const env = readEnv({ ...settings, METRICS_PORT: String(port) });
  ({ stop } = await serveMetrics(env, testServices(database.db), async () => next));
  address = `http://127.0.0.1:${port}/metrics`;
});
afterAll(() => stop());

const scrape = async () => (await fetch(address)).text();

test('requests are counted by operation, status and error code, and never by whom they are about', async () => {
  const { key, id } = await createMerchant(database.owner);
  const services = testServices(database.db);
  const log = createLogger('silent');
  const handle = createRestHandler({ services, log, requests: createRequestLog(services, log) });
  const get = (url: string, apiKey: string) =>
    handle({
      method: 'GET',
      url,
      apiKey,
      client: '192.0.2.1',
      contentType: undefined,
      body: async () => Buffer.alloc(0),
    });
  await get('customers/phone/%2B6591234567/balances', key);
  await get('customers/phone/%2B6591234567/balances', 'sk_test_wrong');
  const text = await scrape();
  expect(text).toMatch(
    /^loyalty_rest_request_duration_seconds_count\{operation="[\w.]+",status="404",process="service"\} 1$/m,
  );
  expect(text).toMatch(/^loyalty_rest_refusals_total\{code="customer_not_found",process="service"\} 1$/m);
  expect(text).toMatch(/^loyalty_rest_refusals_total\{code="invalid_api_key",process="service"\} 1$/m);
  for (const secret of [id, key, '91234567', '192.0.2.1']) expect(text).not.toContain(secret);
});

test('the state of the database, its transactions and the queue are read when Prometheus asks', async () => {
  await database.owner`select graphile_worker.add_job('of-a-test', '{}'::json, run_at => now() - interval '90 seconds')`;
  const text = await scrape();
  expect(text).toMatch(/^loyalty_ready\{process="service"\} 1$/m);
  expect(text).toMatch(/^loyalty_database_transactions\{state="waiting",process="service"\} 0$/m);
  expect(text).toMatch(/^loyalty_jobs_due\{task="of-a-test",process="service"\} 1$/m);
  const [, age] = /^loyalty_oldest_due_job_seconds\{task="of-a-test",process="service"\} ([\d.]+)$/m.exec(text) ?? [];
  expect(Number(age)).toBeGreaterThan(89);
});

test('Next’s process is part of the same response, and may be away', async () => {
  expect(await scrape()).not.toContain('process="next"');
  const [memory] = (await metricsRegistry.getMetricsAsJSON()).filter(
    ({ name }) => name === 'process_resident_memory_bytes',
  );
  next = [{ ...memory, values: [{ value: 42, labels: { process: 'next' } }] }] as MetricFamilies;
  const text = await scrape();
  expect(text).toContain('process_resident_memory_bytes{process="next"} 42');
  expect(text).toMatch(/^process_resident_memory_bytes\{process="service"\} \d{7,}$/m);
});

test('nothing else is served there', async () => {
  expect((await fetch(address.replace('/metrics', '/'))).status).toBe(404);
});

test('a port of metrics that is taken is named as what it is', async () => {
  const taken = readEnv({ ...settings, METRICS_PORT: new URL(address).port });
  await expect(serveMetrics(taken, testServices(database.db))).rejects.toThrow('set METRICS_PORT to another');
});
