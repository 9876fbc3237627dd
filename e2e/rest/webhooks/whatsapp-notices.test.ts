/** Notices on their way to customers' WhatsApp: what is sent, in whose name, again when it failed, and once. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parametersOf } from '@/e2e/fixtures/fake-whatsapp';
import { optPhoneOut } from '@/server/domain/customers/opt-out';
import type { NoticeKind } from '@/server/domain/kernel/context';
import { verbatim } from '@/server/domain/kernel/say';
import type { MessageLanguage } from '@/server/domain/messaging/schemas';
import { beginSending } from '@/server/domain/messaging/send-notices';
import { numberedBody } from '@/server/domain/messaging/wording';
import { createCustomer, createFixedPackage, createMerchant } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { newTransactionId } from '../harness';
import {
  briefTimeoutMs,
  createRecipient,
  dumpDatabase,
  failureOf,
  forgetPin,
  messagesOf,
  type Recipient,
  startWhatsappStage,
  untilReceived,
  type WhatsappStage,
} from './whatsapp-stage';

let stage: WhatsappStage;
let worker: { stop(): Promise<void> } | undefined;
let packageId: string;

beforeAll(async () => {
  stage = await startWhatsappStage();
  const { owner, merchant } = stage;
  await owner`update merchants set quiet_from = null, quiet_until = null where id = ${merchant.id}`;
  packageId = await createFixedPackage(owner, merchant.id, { amount: 5_000, bonus: 500, bonus_expires_in_days: 7 });
  await turnOn('top-up-receipt', 'en', 'receipt_en');
  await turnOn('top-up-receipt', 'zh', 'receipt_zh');
});
beforeEach(async () => {
  worker = await stage.startWorker();
});
afterEach(async () => {
  await worker?.stop();
});
afterAll(() => stage.stop());

async function turnOn(kind: NoticeKind, language: MessageLanguage, templateName: string, body?: string): Promise<void> {
  const { messages } = callAs(await createStaff(stage.owner, stage.services, stage.merchant.id));
  const { templates } = await messages.templates();
  const suggested = templates.find((one) => one.kind === kind && one.language === language);
  if (!suggested) throw new Error('there is no such template');
  await messages.saveTemplate({ ...suggested, body: body ?? suggested.body, templateName, isOn: true });
}

async function pay({ id }: Recipient, transactionId = newTransactionId()): Promise<void> {
  const body = { transactionId, customer: { customerId: id }, packageId };
  expect((await stage.post('/transactions/stored-value/top-up', body)).status).toBe(200);
}

/** As the schedule does each minute. */
const minute = () => beginSending(stage.services);
const stateOf = async (recipient: Recipient) => (await messagesOf(stage, recipient)).map(({ state }) => state);
const untilState = (recipient: Recipient, state: string) =>
  expect.poll(() => stateOf(recipient), { timeout: 10_000, interval: 50 }).toEqual([state]);
/** No run is under way, or to come. */
const untilIdle = () => {
  const jobs = () => stage.owner`select from graphile_worker.jobs where task_identifier = 'send-notices'`;
  return expect.poll(jobs, { timeout: 10_000, interval: 50 }).toEqual([]);
};

describe('a top-up', () => {
  test('is told by its template, in the customer’s language, filled in the order of the text', async () => {
    const [en, zh] = [await createRecipient(stage), await createRecipient(stage)];
    await stage.owner`update customers set language = 'zh' where id = ${zh.id}`;
    for (const recipient of [en, zh]) await pay(recipient);
    await minute();
    const [message] = await untilReceived(stage, en, 1);
    expect(message?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: en.number,
      type: 'template',
      template: {
        name: 'receipt_en',
        language: { code: 'en' },
        components: [
          {
            type: 'body',
            parameters: ['Ada', '$55.00', 'Test Kitchen', '$5.00', '$55.00'].map((text) => ({ type: 'text', text })),
          },
        ],
      },
    });
    const [chinese] = await untilReceived(stage, zh, 1);
    expect(chinese?.body.template).toMatchObject({ name: 'receipt_zh', language: { code: 'zh_CN' } });
    expect(chinese && parametersOf(chinese)).toEqual(['Ada', 'Test Kitchen', '$55.00', '$5.00', '$55.00']);
    await untilState(en, 'sent');
    expect((await messagesOf(stage, en))[0]).toMatchObject({ provider_id: message?.id, secret: null, failure: null });
  });

  test('is told by a text that names one thing twice, or nothing at all, as WhatsApp takes it', async () => {
    const [twice, nothing] = [await createRecipient(stage), await createRecipient(stage)];
    await stage.owner`update customers set language = 'ja' where id = ${twice.id}`;
    await stage.owner`update customers set language = 'ms' where id = ${nothing.id}`;
    await turnOn('top-up-receipt', 'ja', 'receipt_ja', '{name}! {amount}! {name}!');
    await turnOn('top-up-receipt', 'ms', 'receipt_ms', 'Terima kasih');
    for (const recipient of [twice, nothing]) await pay(recipient);
    await minute();
    const [japanese] = await untilReceived(stage, twice, 1);
    expect(japanese && parametersOf(japanese)).toEqual(['Ada', '$55.00']);
    const [malay] = await untilReceived(stage, nothing, 1);
    expect(malay?.body.template).toMatchObject({ name: 'receipt_ms', components: [] });
    expect(numberedBody('{name}! {amount}! {name}!')).toBe('{{1}}! {{2}}! {{1}}!');
  });

  test('is told once, however often and at once it is sent', async () => {
    const recipient = await createRecipient(stage);
    const transactionId = newTransactionId();
    await Promise.all([1, 2, 3].map(() => pay(recipient, transactionId)));
    const other = await stage.startWorker();
    await Promise.all([minute(), minute(), minute()]);
    await untilState(recipient, 'sent');
    await other.stop();
    expect(stage.whatsapp.to(recipient.number)).toHaveLength(1);
  });

  test('of a merchant who does not tell leaves no row', async () => {
    const recipient = await createRecipient(stage);
    await stage.owner`update merchants set notice_kinds = '{}' where id = ${stage.merchant.id}`;
    await pay(recipient);
    await stage.owner`update merchants set notice_kinds = '{top-up-receipt}' where id = ${stage.merchant.id}`;
    expect(await messagesOf(stage, recipient)).toEqual([]);
  });

  test('that is refused is not told', async () => {
    const recipient = await createRecipient(stage);
    await stage.owner`update balances set blocked_at = now() where customer_id = ${recipient.id}`;
    const body = { transactionId: newTransactionId(), customer: { customerId: recipient.id }, packageId };
    expect((await stage.post('/transactions/stored-value/top-up', body)).status).toBe(402);
    expect(await messagesOf(stage, recipient)).toEqual([]);
  });
});

describe('what fails', () => {
  test('is tried again after a while, with its reason; the same message', async () => {
    await worker?.stop();
    worker = await stage.startWorker(briefTimeoutMs);
    const recipient = await createRecipient(stage);
    stage.whatsapp.plan(recipient.number, 500, 'silence');
    await pay(recipient);
    for (const failure of [failureOf(500), verbatim('TimeoutError')]) {
      await minute();
      await expect.poll(async () => (await messagesOf(stage, recipient))[0]?.failure).toEqual(failure);
      await minute();
      expect(await stateOf(recipient)).toEqual(['queued']);
      stage.travel(5 * 60_000);
    }
    await minute();
    await untilState(recipient, 'sent');
    const sent = stage.whatsapp.to(recipient.number);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((message) => parametersOf(message).join())).size).toBe(1);
  });

  test('for good is given up, and keeps nobody waiting', async () => {
    const [refused, other] = [await createRecipient(stage), await createRecipient(stage)];
    stage.whatsapp.plan(refused.number, 400);
    for (const recipient of [refused, other]) await pay(recipient);
    await minute();
    await untilState(refused, 'failed');
    await untilState(other, 'sent');
    expect(stage.whatsapp.to(refused.number)).toHaveLength(1);
  });

  test('for now ends the batch: the others are not tried before the next minute', async () => {
    const [first, second] = [await createRecipient(stage), await createRecipient(stage)];
    stage.whatsapp.plan(first.number, 500);
    for (const recipient of [first, second]) await pay(recipient);
    await minute();
    await untilIdle();
    expect(stage.whatsapp.to(first.number)).toHaveLength(1);
    expect(stage.whatsapp.to(second.number)).toEqual([]);
    await minute();
    await untilState(second, 'sent');
  });

  test('to answer in time has no second batch of the merchant beside it', async () => {
    await worker?.stop();
    worker = await stage.startWorker();
    const [first, second, other] = await Promise.all([1, 2, 3].map(() => createRecipient(stage)));
    if (!first || !second || !other) throw new Error('there are three');
    let answer = () => {};
    const after = new Promise<void>((resolve) => {
      answer = resolve;
    });
    stage.whatsapp.plan(first.number, { after });
    for (const recipient of [first, second]) await pay(recipient);
    await minute();
    await untilReceived(stage, first, 1);
    await minute();
    // What was queued behind the second batch has been sent meanwhile.
    await forgetPin(stage, other);
    await untilReceived(stage, other, 1);
    expect(stage.whatsapp.to(second.number)).toEqual([]);
    answer();
    await untilState(second, 'sent');
  });

  test('with its worker is sent by another one', async () => {
    const recipient = await createRecipient(stage);
    await pay(recipient);
    // As a worker that was killed between the taking and the sending leaves it.
    const lease = new Date(stage.services.clock.now().getTime() + 2 * 60_000);
    await stage.owner`update messages set attempts = 1, due_at = ${lease} where customer_id = ${recipient.id}`;
    await minute();
    stage.travel(2 * 60_000 + 1_000);
    await minute();
    await untilState(recipient, 'sent');
    expect(stage.whatsapp.to(recipient.number)).toHaveLength(1);
  });
});

test('who answers STOP is told no more, by any merchant; nothing else is a wish', async () => {
  await untilIdle();
  const recipient = await createRecipient(stage);
  const phone = `+${recipient.number}`;
  const other = await createMerchant(stage.owner);
  // The second of them has another phone.
  const [same] = [await createCustomer(stage.owner, other.id), await createCustomer(stage.owner, other.id)];
  await stage.owner`update customers set phone = ${phone} where id = ${same.id}`;
  await turnOn('voucher-issued', 'en', 'voucher_en');
  const campaignId = await createCampaign(stage.owner, stage.merchant.id);
  const { vouchers } = callAs(await createStaff(stage.owner, stage.services, stage.merchant.id));
  const issue = () =>
    vouchers.issue({
      issueId: crypto.randomUUID(),
      campaignId,
      audience: { kind: 'customers', customerIds: [recipient.id] },
    });
  await issue();
  await optPhoneOut(stage.services, phone);
  const optedOut = await stage.owner`
    select id from customers where merchant_id = ${other.id} and messages_opted_out_at is not null`;
  expect([...optedOut]).toEqual([{ id: same.id }]);
  await optPhoneOut(stage.services, phone);
  await optPhoneOut(stage.services, '+6590000000');
  await minute();
  await untilState(recipient, 'failed');
  await issue();
  expect(await stateOf(recipient)).toEqual(['failed']);
  expect(stage.whatsapp.to(recipient.number)).toEqual([]);
  const audited = await stage.owner`
    select actor_kind, after from audit_log where subject_id = ${recipient.id} and action = 'customer.messages'`;
  expect([...audited]).toEqual([{ actor_kind: 'diner', after: '{"wantsMessages":false}' }]);
});

test('neither the log nor the messages’ rows say whom or what', async () => {
  const recipient = await createRecipient(stage);
  await pay(recipient);
  await minute();
  await untilState(recipient, 'sent');
  const [message] = stage.whatsapp.to(recipient.number);
  const rows = (await dumpDatabase(stage))
    .split('\n')
    .filter((row) => /^(public\.messages|graphile_worker\.)/.test(row));
  expect(rows.length).toBeGreaterThan(0);
  for (const text of [recipient.number, ...(message ? parametersOf(message).slice(1) : [])]) {
    expect(stage.log.join('')).not.toContain(text);
    expect(rows.join('\n')).not.toContain(text);
  }
});
