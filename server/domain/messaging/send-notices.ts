/** Sends what `notices.ts` queued: for each merchant a limited number a minute, one after another. */
import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { announce } from '../core/changes';
import type { Merchant, Services } from '../core/context';
import { eachInTurn } from '../core/each-in-turn';
import { DomainError } from '../core/errors';
import { throttle } from '../core/throttle';
import { findMerchant } from '../merchants/find-merchant';
import { inTimeOf } from '../merchants/merchant-time';
import type { Delivery, Messenger, TemplateUse } from './deliver';
import { readFacts } from './notice-facts';
import { isQuiet } from './quiet-hours';
import { type MessageLanguage, messageLanguage } from './schemas';
import { sealSecret } from './secret';
import { fillBody, parametersOf } from './wording';

/** The job that sends a merchant's notices, as the worker knows it. */
export const sendNoticesTask = 'send-notices';
/** For one merchant, in all jobs together: a campaign to all of its customers leaves the messenger to others, too. */
const noticesAMinute = 600;
/** How many a job sends; the next goes on, so that a worker which is to stop need not wait for long. */
const batchSize = 50;
/** How many jobs send at once, of all merchants, so that a messenger which does not answer leaves the worker to others. */
const noticeQueues = 3;
/** How long the job that took a notice has to send it; then another takes it. */
const leaseMs = 2 * 60_000;
/** With pauses of 2, 4, 8 … minutes the last comes after four hours. */
const maxAttempts = 8;

/** Has the worker send what is due, of every merchant that is not silent now. */
export async function beginSending({ db, systemClock }: Services): Promise<void> {
  const due = await db.sql`select merchant_id from merchants_with_due_notices(${systemClock.now()})`;
  await eachInTurn(due, ({ merchant_id: merchantId }) => queueSending(db, merchantId));
}

function queueSending({ sql }: Pick<Services['db'], 'sql'>, merchantId: string) {
  const payload = JSON.stringify({ merchantId });
  // A merchant's are always in the same one: one job after another. Its id ends at random.
  const queue = `notices ${Number.parseInt(merchantId.slice(-4), 16) % noticeQueues}`;
  return sql`
    select graphile_worker.add_job(
      ${sendNoticesTask}, ${payload}::text::json, ${queue}, job_key => ${`notices ${merchantId}`})`;
}

/**
 * Sends a batch of what is due, unless hours are quiet or the minute's share is sent; the rest is for the next. One that
 * is to be tried later ends it: the others would be, too. Several may do so at once: each takes others. What a killed one
 * has taken is sent once its lease is over.
 */
export async function sendNotices(services: Services, messenger: Messenger, merchantId: string): Promise<void> {
  const merchant = await findMerchant(services, merchantId);
  if (!merchant) return;
  const own = inTimeOf(services, merchant);
  for (let sent = 0; sent < batchSize && !services.stopping?.aborted; sent++) {
    if (isQuiet(merchant, own.clock.now())) return;
    const notice = await take(own, merchant);
    if (!notice) return;
    const delivery = 'template' in notice ? await deliver(own, messenger, notice) : notice;
    await record(own, merchant, notice.message, delivery);
    if (delivery.outcome === 'retry') return;
  }
  await queueSending(own.db, merchantId);
}

interface Ready {
  message: Row;
  phone: string;
  template: TemplateUse;
  /** As the customer reads it. */
  text: string;
}
type Dropped = { message: Row; outcome: 'dropped'; reason: string };

/** The next notice, and all that it takes to send it, or why it is not sent; null where none is to be sent now. */
async function take(services: Services, merchant: Merchant): Promise<Ready | Dropped | null> {
  try {
    return await withMerchant(services.db, merchant.id, async (tx) => {
      const now = services.clock.now();
      const message = await takeNext(tx, now);
      if (!message) return null;
      const ready = await prepare(tx, merchant, message, now);
      // Last, for its row is shared by all who send for the merchant. What is dropped counts for nothing.
      if ('template' in ready) {
        const limit = { key: `notices:${merchant.id}`, attempts: noticesAMinute, windowSeconds: 60 };
        await throttle({ db: tx, systemClock: services.systemClock }, limit);
      }
      return ready;
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too_many_attempts') return null;
    throw error;
  }
}

async function takeNext({ merchantId, sql }: Tx, now: Date): Promise<Row | undefined> {
  const [message] = await sql`
    with next as (
      select id from messages
      where merchant_id = ${merchantId} and state = 'queued' and due_at is not null and due_at <= ${now}
      order by due_at limit 1 for update skip locked
    )
    update messages m set attempts = attempts + 1, due_at = ${new Date(now.getTime() + leaseMs)} from next
    where m.merchant_id = ${merchantId} and m.id = next.id
    returning m.id, m.kind, m.customer_id, m.subject, m.attempts`;
  return message;
}

async function prepare(tx: Tx, merchant: Merchant, message: Row, now: Date): Promise<Ready | Dropped> {
  const { merchantId, sql } = tx;
  const drop = (reason: string): Dropped => ({ message, outcome: 'dropped', reason });
  const { kind, customer_id: customerId, subject } = message;
  const [[customer], templates] = await Promise.all([
    sql`
      select given_name, phone, language, messages_opted_out_at from customers
      where merchant_id = ${merchantId} and id = ${customerId}`,
    sql`
      select language, template_name, body from message_templates
      where merchant_id = ${merchantId} and kind = ${kind} and is_on order by language`,
  ]);
  if (!customer?.phone) return drop('no phone number any more');
  if (customer.messages_opted_out_at !== null) return drop('the customer wants no messages');
  const template = choose(templates, [customer.language, new Intl.Locale(merchant.locale).language, 'en']);
  if (!template) return drop('messages of this kind were switched off');
  const language: MessageLanguage = messageLanguage.parse(template.language);
  const facts = await readFacts(tx, kind, { customerId, subject, language, merchant, now });
  if (!facts) return drop('what it tells is not so any more');
  const values = { ...facts, name: customer.given_name };
  const parameters = parametersOf(template.body, values);
  return {
    message,
    phone: customer.phone,
    template: { templateName: template.template_name, language, parameters },
    text: fillBody(template.body, values),
  };
}

/** In the first of these languages that there is one in, else in any. */
const choose = (templates: Row[], languages: (string | null)[]): Row | undefined =>
  languages.map((wanted) => templates.find(({ language }) => language === wanted)).find(Boolean) ?? templates[0];

type Outcome = Delivery | { outcome: 'inbox'; text: string } | { outcome: 'dropped'; reason: string };

/** To the customer; in a sandbox without a messenger to the inbox. */
async function deliver({ messenger: way }: Services, messenger: Messenger, ready: Ready): Promise<Outcome> {
  if (way === 'inbox') return { outcome: 'inbox', text: ready.text };
  return messenger.sendNotice(ready.phone, ready.template);
}

async function record(services: Services, merchant: Merchant, { id, attempts }: Row, outcome: Outcome): Promise<void> {
  const now = services.clock.now();
  const isPending = outcome.outcome === 'retry' && attempts < maxAttempts;
  const state = isPending ? 'queued' : stateAfter[outcome.outcome];
  const providerId = outcome.outcome === 'sent' ? outcome.providerId : null;
  const failure = 'reason' in outcome ? outcome.reason : null;
  const secret = outcome.outcome === 'inbox' ? sealSecret(services.messageKey, id, outcome.text) : null;
  const dueAt = isPending ? new Date(now.getTime() + 2 ** attempts * 60_000) : now;
  await withMerchant(services.db, merchant.id, (tx) =>
    Promise.all([
      tx.sql`
        update messages set state = ${state}, provider_id = ${providerId}, failure = ${failure}, secret = ${secret},
          attempts = ${outcome.outcome === 'dropped' ? attempts - 1 : attempts}, due_at = ${dueAt}, updated_at = ${now}
        where merchant_id = ${merchant.id} and id = ${id} and (state = 'queued' or ${providerId}::text is not null)`,
      announce(tx, 'messages'),
    ]),
  );
}

const stateAfter = { sent: 'sent', inbox: 'inbox', refused: 'failed', retry: 'failed', dropped: 'failed' } as const;
