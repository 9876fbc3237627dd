/** A sign-in code's way to a diner's phone, known to the merchant or not. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { codesOf } from '@/e2e/fixtures/fake-whatsapp';
import { say } from '@/server/domain/kernel/say';
import { openPhone } from '@/server/testing/diners';
import {
  failureOf,
  hurryStageJobs,
  startWhatsappStage,
  untilIdle,
  untilTried,
  type WhatsappStage,
} from './whatsapp-stage';

let stage: WhatsappStage;
let worker: { stop(): Promise<void> } | undefined;
let serial = 0;

beforeAll(async () => {
  stage = await startWhatsappStage();
});
beforeEach(async () => {
  worker = await stage.startWorker();
});
afterEach(async () => {
  await worker?.stop();
});
afterAll(() => stage.stop());

const newNumber = () => `658${7_000_000 + ++serial}`;
const sentTo = (number: string) => stage.whatsapp.to(number);
const open = () => openPhone(stage.services, stage.merchant.id);
const messageTo = async (number: string) => {
  const [row] = await stage.owner`select * from messages where phone = ${`+${number}`} order by id desc limit 1`;
  return row;
};

test('it goes by its own template, signs in, and is erased once it was sent', async () => {
  const number = newNumber();
  const { identity } = open().api;
  await identity.requestCode({ phone: `+${number}` });
  await untilIdle(stage);
  const [message, ...more] = sentTo(number);
  expect(more).toEqual([]);
  expect(message?.body.template.name).toBe('sign_in_code');
  const [code = '', onButton] = message ? codesOf(message) : [];
  expect(code).toMatch(/^\d{6}$/);
  expect(onButton).toBe(code);
  expect(await messageTo(number)).toMatchObject({ kind: 'code', customer_id: null, state: 'sent', secret: null });
  expect(await identity.verifyCode({ phone: `+${number}`, code })).toEqual({ isCustomer: false });
  expect(stage.log.join()).not.toContain(code);
});

test('it is tried again while it works, and given up after ten minutes', async () => {
  const number = newNumber();
  stage.whatsapp.plan(number, 500, 503);
  await open().api.identity.requestCode({ phone: `+${number}` });
  await untilTried(stage, 1);
  expect(await messageTo(number)).toMatchObject({ state: 'queued', failure: failureOf(500) });
  stage.travel(10 * 60_000 + 1);
  await hurryStageJobs(stage);
  await untilIdle(stage);
  expect(sentTo(number)).toHaveLength(1);
  expect(await messageTo(number)).toMatchObject({ state: 'failed', secret: null, failure: failureOf(500) });
});

test('one that nobody sent while it worked is not sent any more', async () => {
  await worker?.stop();
  const number = newNumber();
  await open().api.identity.requestCode({ phone: `+${number}` });
  stage.travel(10 * 60_000 + 1);
  worker = await stage.startWorker();
  await untilIdle(stage);
  expect(sentTo(number)).toEqual([]);
  expect(await messageTo(number)).toMatchObject({ state: 'failed', secret: null, failure: say('tooLate') });
});

test('it is sent before notices and what is due by the clock', async () => {
  await worker?.stop();
  const [number, { owner, merchant }] = [newNumber(), stage];
  const payload = JSON.stringify({ merchantId: merchant.id });
  await owner`select graphile_worker.add_job('send-notices', ${payload}::text::json)`;
  await open().api.identity.requestCode({ phone: `+${number}` });
  const first = await owner`select task_identifier from graphile_worker.jobs order by priority, run_at limit 1`;
  expect(first).toEqual([{ task_identifier: 'deliver-message' }]);
  worker = await stage.startWorker();
  await untilIdle(stage);
});

test('one that is still on its way is not sent after a newer one', async () => {
  const number = newNumber();
  stage.whatsapp.plan(number, 500);
  const { identity } = open().api;
  await identity.requestCode({ phone: `+${number}` });
  await untilTried(stage, 1);
  stage.travel(60_000);
  await identity.requestCode({ phone: `+${number}` });
  await hurryStageJobs(stage);
  await untilIdle(stage);
  const [first, second, ...more] = sentTo(number);
  expect(more).toEqual([]);
  const code = second ? codesOf(second)[0] : '';
  expect(first?.reaction).toBe(500);
  expect(await identity.verifyCode({ phone: `+${number}`, code: code ?? '' })).toEqual({ isCustomer: false });
});
