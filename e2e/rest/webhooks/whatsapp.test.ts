/** A new PIN's way to the customer: what WhatsApp is sent, how often, and what becomes of the message. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { only } from '@/db/query/queries';
import { codesOf, type Reaction } from '@/e2e/fixtures/fake-whatsapp';
import { say, verbatim } from '@/server/domain/kernel/say';
import { newTransactionId } from '../harness';
import {
  briefTimeoutMs,
  createRecipient,
  failureOf,
  forgetPin,
  hurryStageJobs,
  jobsOf,
  messagesOf,
  type Recipient,
  startWhatsappStage,
  untilIdle,
  untilReceived,
  untilTried,
  type WhatsappStage,
} from './whatsapp-stage';

let stage: WhatsappStage;
let worker: { stop(): Promise<void> } | undefined;

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

/** How a PIN fares in a redemption of points that the customer has not. */
async function tryPin({ id }: Recipient, pin: string): Promise<string | undefined> {
  const body = { transactionId: newTransactionId(), customer: { customerId: id }, points: 1, pin };
  return (await stage.post('/transactions/points/redeem', body)).body.error?.code;
}

/** A customer whose next messages are answered so, and who then forgot the PIN. */
async function forgetful(...reactions: Reaction[]): Promise<Recipient> {
  const recipient = await createRecipient(stage, '4831');
  stage.whatsapp.plan(recipient.number, ...reactions);
  await forgetPin(stage, recipient);
  return recipient;
}

describe('taken at once', () => {
  test('the request is the one that the Cloud API asks for', async () => {
    const recipient = await forgetful();
    const [message] = await untilReceived(stage, recipient, 1);
    const [code = ''] = message ? codesOf(message) : [];
    expect(code).toMatch(/^[0-9]{4}$/);
    const parameters = [{ type: 'text', text: code }];
    expect(message).toMatchObject({
      method: 'POST',
      path: '/v25.0/105550001112223/messages',
      authorization: 'Bearer a token of tests',
      contentType: 'application/json',
    });
    expect(message?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: recipient.number,
      type: 'template',
      template: {
        name: 'pin_reset',
        language: { code: 'en_GB' },
        components: [
          { type: 'body', parameters },
          { type: 'button', sub_type: 'url', index: '0', parameters },
        ],
      },
    });
    expect(recipient.number).toMatch(/^65[0-9]{8}$/);
  });

  test('it is sent once, its id is kept and its code erased; the job is gone', async () => {
    const recipient = await forgetful();
    await untilIdle(stage);
    const [sent, ...more] = stage.whatsapp.to(recipient.number);
    expect(more).toEqual([]);
    const [row] = await messagesOf(stage, recipient);
    expect(row).toMatchObject({ state: 'sent', provider_id: sent?.id, secret: null, failure: null, attempts: 1 });
  });

  test('its PIN works, and the old one no longer', async () => {
    const recipient = await forgetful();
    const [message] = await untilReceived(stage, recipient, 1);
    const [code = ''] = message ? codesOf(message) : [];
    expect(await tryPin(recipient, code)).toBe('insufficient_points');
    if (code !== '4831') expect(await tryPin(recipient, '4831')).toBe('pin_invalid');
  });
});

describe('tried again', () => {
  test('after 500, 429, silence, a broken connection and an answer that is none: the same PIN until it is taken', async () => {
    await worker?.stop();
    worker = await stage.startWorker(briefTimeoutMs);
    const recipient = await forgetful(500, 429, 'silence', 'hang up', 'nonsense', 503);
    const messages = await untilReceived(stage, recipient, 7);
    await untilIdle(stage);
    expect(stage.whatsapp.to(recipient.number)).toHaveLength(7);
    const codes = new Set(messages.flatMap(codesOf));
    expect(codes.size).toBe(1);
    const [row] = await messagesOf(stage, recipient);
    expect(row).toMatchObject({ state: 'sent', attempts: 7, secret: null, failure: null });
    expect(row?.provider_id).toBe(messages.at(-1)?.id);
    expect(await tryPin(recipient, [...codes][0] ?? '')).toBe('insufficient_points');
  });

  test('where the error is not the message’s: rate limit, WhatsApp unavailable, an expired access token', async () => {
    const passing = [1, 2, 4, 190, 80_007, 130_429, 131_048, 131_056].map((code) => ({ status: 400, code }));
    const recipient = await forgetful(...passing, 401);
    await untilReceived(stage, recipient, 10);
    await untilIdle(stage);
    expect((await messagesOf(stage, recipient))[0]).toMatchObject({ state: 'sent', attempts: 10, failure: null });
  });

  test('with longer and longer pauses, over a day; the reason of the last try is kept', async () => {
    const recipient = await forgetful(...Array.from({ length: 12 }, (): Reaction => 500));
    const pauses: number[] = [];
    for (let attempts = 1; attempts <= 12; attempts++) {
      await untilTried(stage, attempts);
      const job = only(await jobsOf(stage));
      pauses.push((job.run_at.getTime() - job.updated_at.getTime()) / 1000);
      const [row] = await messagesOf(stage, recipient);
      expect(row).toMatchObject({ state: 'queued', attempts, failure: failureOf(500) });
      expect(row?.secret).not.toBeNull();
      await hurryStageJobs(stage);
    }
    await untilIdle(stage);
    expect(pauses[0]).toBeGreaterThan(1);
    expect(pauses[0]).toBeLessThan(10);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(30);
    const [row] = await messagesOf(stage, recipient);
    expect(row).toMatchObject({ state: 'sent', attempts: 13 });
  });

  test('not past 24 hours: given up, the reason kept and the code erased', async () => {
    const recipient = await forgetful(500, 500, 500);
    await untilTried(stage, 1);
    stage.travel(24 * 3_600_000 + 1_000);
    await untilIdle(stage);
    stage.travel(-24 * 3_600_000 - 1_000);
    expect(stage.whatsapp.to(recipient.number)).toHaveLength(1);
    const [row] = await messagesOf(stage, recipient);
    expect(row).toMatchObject({ state: 'failed', secret: null, failure: failureOf(500) });
  });

  test('not past the last attempt of the queue', async () => {
    await worker?.stop();
    const recipient = await forgetful('silence');
    const job = only(await jobsOf(stage));
    await stage.owner`
      select graphile_worker.reschedule_jobs(array[${job.id}]::bigint[], attempts => ${job.max_attempts - 1})`;
    worker = await stage.startWorker(briefTimeoutMs);
    await untilIdle(stage);
    expect(stage.whatsapp.to(recipient.number)).toHaveLength(1);
    const [row] = await messagesOf(stage, recipient);
    expect(row).toMatchObject({ state: 'failed', secret: null, failure: verbatim('TimeoutError') });
  });

  test('a worker that stops during a delivery records its result, and leaves the rest to the next one', async () => {
    await worker?.stop();
    worker = await stage.startWorker(briefTimeoutMs);
    for (const reaction of ['silence', 500, 'accept'] as const) {
      const recipient = await createRecipient(stage);
      stage.whatsapp.plan(recipient.number, reaction);
      await forgetPin(stage, recipient);
      await expect.poll(() => stage.whatsapp.to(recipient.number).length, { interval: 1 }).toBe(1);
      await worker?.stop();
      const left = (await jobsOf(stage)).map(({ attempts, locked_at }) => ({ attempts, locked_at }));
      expect(left).toEqual(reaction === 'accept' ? [] : [{ attempts: 1, locked_at: null }]);
      worker = await stage.startWorker();
      await untilIdle(stage);
      expect(stage.whatsapp.to(recipient.number)).toHaveLength(reaction === 'accept' ? 1 : 2);
      expect((await messagesOf(stage, recipient))[0]?.state).toBe('sent');
    }
  });
});

describe('given up', () => {
  test.each([400, 403, 404] as const)('%i at once, with the reason and without the code', async (status) => {
    const recipient = await forgetful({ status, code: 131_026 });
    await untilIdle(stage);
    expect(stage.whatsapp.to(recipient.number)).toHaveLength(1);
    const [row] = await messagesOf(stage, recipient);
    const failure = failureOf(status);
    expect(row).toMatchObject({ state: 'failed', secret: null, provider_id: null, failure, attempts: 1 });
  });

  test('where the customer has no number any more', async () => {
    const recipient = await forgetful(500);
    await untilTried(stage, 1);
    await stage.owner`update customers set phone = null where id = ${recipient.id}`;
    await untilIdle(stage);
    expect(stage.whatsapp.to(recipient.number)).toHaveLength(1);
    expect((await messagesOf(stage, recipient))[0]).toMatchObject({ state: 'failed', secret: null });
  });

  test('one superseded by a newer PIN: it would arrive late, and not work', async () => {
    const recipient = await forgetful(500);
    await untilTried(stage, 1);
    await forgetPin(stage, recipient);
    await untilReceived(stage, recipient, 2);
    await untilIdle(stage);
    const received = stage.whatsapp.to(recipient.number);
    expect(received).toHaveLength(2);
    const [older, newer] = await messagesOf(stage, recipient);
    expect(older).toMatchObject({ state: 'failed', secret: null, failure: say('pinReplaced') });
    expect(newer).toMatchObject({ state: 'sent', secret: null, provider_id: received[1]?.id });
    const [code = ''] = received[1] ? codesOf(received[1]) : [];
    expect(await tryPin(recipient, code)).toBe('insufficient_points');
  });
});

test('a rejected request queues nothing', async () => {
  const recipient = await createRecipient(stage);
  for (let i = 0; i < 3; i++) await forgetPin(stage, recipient);
  const { status, body } = await stage.post('/customers/forget-pin', { customer: { customerId: recipient.id } });
  expect([status, body.error?.code]).toEqual([402, 'pin_reset_too_often']);
  await untilIdle(stage);
  expect(await messagesOf(stage, recipient)).toHaveLength(3);
});

test('two workers share 30 messages: each is sent once', async () => {
  const other = await stage.startWorker();
  const recipients = await Promise.all(Array.from({ length: 30 }, () => createRecipient(stage)));
  await Promise.all(recipients.map((recipient) => forgetPin(stage, recipient)));
  await untilIdle(stage);
  await other.stop();
  for (const { number } of recipients) expect(stage.whatsapp.to(number)).toHaveLength(1);
});
