/** The service, its worker and a fake WhatsApp, all over real connections, with every log line kept. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type postgres from 'postgres';
import { expect, inject, vi } from 'vitest';
import { cloneDatabase } from '@/db/testing/clone';
import { type FakeWhatsapp, type ReceivedMessage, startFakeWhatsapp } from '@/e2e/fixtures/fake-whatsapp';
import type { Services } from '@/server/domain/kernel/context';
import { say } from '@/server/domain/kernel/say';
import { readEnv } from '@/server/environment/env';
import { createWhatsapp } from '@/server/gateways/whatsapp';
import { startWorker } from '@/server/jobs/worker';
import { createFrontDoor } from '@/server/process/front-door';
import { createCustomer, createMerchant, type TestMerchant, testSecret, testServices } from '@/server/testing/factory';
import { keptLog } from '@/server/testing/kept-log';
import { holdSchedule, hurryJobs, queuedJobs } from '@/server/testing/queue';

export interface WhatsappStage {
  owner: postgres.Sql;
  services: Services;
  whatsapp: FakeWhatsapp;
  merchant: TestMerchant;
  /** Every line of the service and its workers. */
  log: string[];
  /** Every answer of the REST API. */
  answers: string[];
  /** Moves the service's clock. */
  travel(ms: number): void;
  post(
    path: string,
    body: object,
  ): Promise<{ status: number; body: Record<string, never> & { error?: { code: string } } }>;
  /** `waitsMs`: how long it waits for WhatsApp. */
  startWorker(waitsMs?: number): Promise<{ stop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** How long a sender waits for WhatsApp here as a rule, and where it does not answer. */
const timeoutMs = 20_000;
export const briefTimeoutMs = 1_000;

export async function startWhatsappStage(): Promise<WhatsappStage> {
  const database = await cloneDatabase(inject('adminUrl'));
  const whatsapp = await startFakeWhatsapp();
  const { log: logger, lines: log, check } = keptLog();
  const answers: string[] = [];
  let aheadMs = 0;
  const services: Services = {
    ...testServices(database.db, { now: () => new Date(Date.now() + aheadMs) }),
    messenger: 'whatsapp',
  };
  const settings = readEnv({
    APP_ENV: 'sandbox',
    DATABASE_URL: database.url,
    AUTH_SECRET: testSecret,
    DATA_SECRET: testSecret,
    WHATSAPP_API_URL: whatsapp.origin,
    WHATSAPP_PHONE_NUMBER_ID: '105550001112223',
    WHATSAPP_ACCESS_TOKEN: 'a token of tests',
    WHATSAPP_VERIFY_TOKEN: 'verify',
    WHATSAPP_APP_SECRET: 'app secret',
    WHATSAPP_TEMPLATE: 'pin_reset',
    WHATSAPP_CODE_TEMPLATE: 'sign_in_code',
    WHATSAPP_TEMPLATE_LANGUAGE: 'en_GB',
  });
  const server = createFrontDoor({ services, log: logger, nextOrigin: 'http://127.0.0.1:9' });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const merchant = await createMerchant(database.owner, { pin_required: true });
  return {
    owner: database.owner,
    services,
    whatsapp,
    merchant,
    log,
    answers,
    travel: (ms) => {
      aheadMs += ms;
    },
    post: async (path, body) => {
      const headers = { 'content-type': 'application/json', 'x-api-key': merchant.stores[0].key };
      const response = await fetch(`${origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      answers.push(text);
      return { status: response.status, body: JSON.parse(text) };
    },
    startWorker: async (waitsMs = timeoutMs) => {
      await holdSchedule(database.owner);
      return startWorker(services, settings, logger, createWhatsapp(settings, { timeoutMs: waitsMs }));
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
      await whatsapp.stop();
      // A stopped queue is still hanging up, and the cut connection would count as an error.
      const hangingUp = () =>
        database.owner`
          select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
            and application_name = ''`;
      await vi.waitFor(async () => expect(await hangingUp()).toHaveLength(0), { timeout: 5_000, interval: 20 });
      await database.drop();
      check();
    },
  };
}

export interface Recipient {
  id: string;
  /** As WhatsApp is told it: without plus. */
  number: string;
}

export async function createRecipient({ owner, merchant }: WhatsappStage, pin?: string): Promise<Recipient> {
  const { id, phone } = await createCustomer(owner, merchant.id, pin === undefined ? {} : { pin });
  return { id, number: phone.slice(1) };
}

export async function forgetPin({ post }: WhatsappStage, { id }: Recipient): Promise<void> {
  expect((await post('/customers/forget-pin', { customer: { customerId: id } })).status).toBe(200);
}

/** The messages of a customer, oldest first. */
export async function messagesOf({ owner }: WhatsappStage, { id }: Recipient) {
  return owner`select * from messages where customer_id = ${id} order by id`;
}

/** Every job that waits for its time has come to it, without the wait. */
export const hurryStageJobs = ({ owner }: WhatsappStage) => hurryJobs(owner);

/** The deliveries that are queued. */
export const jobsOf = async ({ owner }: WhatsappStage) =>
  (await queuedJobs(owner)).filter(({ payload }) => payload.messageId);

/** Until so many messages came to a number; what waits for another try is hurried. */
export async function untilReceived(
  stage: WhatsappStage,
  { number }: Recipient,
  count: number,
): Promise<ReceivedMessage[]> {
  const arrived = async () => {
    // The first comes by itself; hurried, the second would be there before anyone looked.
    if (count > 1) await hurryStageJobs(stage);
    return stage.whatsapp.to(number).length;
  };
  await expect.poll(arrived, { timeout: 10_000, interval: 50 }).toBeGreaterThanOrEqual(count);
  return stage.whatsapp.to(number);
}

/** Until the one delivery that is queued has been tried so often, and waits for its next time. */
export async function untilTried(stage: WhatsappStage, attempts: number): Promise<void> {
  const tried = async () => {
    const [job] = await jobsOf(stage);
    return job?.locked_at === null ? job.attempts : 0;
  };
  await expect.poll(tried, { timeout: 10_000, interval: 20 }).toBe(attempts);
}

/** Until nothing is queued any more. */
export async function untilIdle(stage: WhatsappStage): Promise<void> {
  const left = async () => {
    await hurryStageJobs(stage);
    return (await jobsOf(stage)).length;
  };
  await expect.poll(left, { timeout: 15_000, interval: 50 }).toBe(0);
}

/** Every row of every table, the queue's among them, as text with bytes in hexadecimal. */
export async function dumpDatabase({ owner }: WhatsappStage): Promise<string> {
  const tables = await owner`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') order by 1`;
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await owner.unsafe(`select to_jsonb(t)::text as row from ${name} t`);
    parts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return parts.join('\n');
}

/** What is kept of a message that WhatsApp answered with this status. */
export const failureOf = (status: number) => say('whatsappErrorOverHttp', { status, code: 131_026 });
