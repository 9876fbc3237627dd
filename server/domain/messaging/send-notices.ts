/** Sends what `notices.ts` queued: for each merchant a limited number a minute, one after another. */
import { and, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { merchantsWithDueNotices } from '@/db/functions';
import { customers, messages, messageTemplates } from '@/db/schema';
import { announce } from '../core/changes';
import type { Merchant, NoticeKind, Services } from '../core/context';
import { eachInTurn } from '../core/each-in-turn';
import { DomainError } from '../core/errors';
import { type Sentence, say } from '../core/say';
import { sealSecret } from '../core/secrets';
import { throttle } from '../core/throttle';
import { findMerchant, inTimeOf } from '../merchants/merchant';
import { type Delivery, isToRecord, type Messenger, type TemplateUse } from './deliver';
import { readFacts } from './notice-facts';
import { isQuiet } from './quiet-hours';
import type { MessageLanguage } from './schemas';
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
  const { $rows, merchantId } = merchantsWithDueNotices({ at: systemClock.now() });
  const due = await db.pool.select({ merchantId }).from($rows);
  await eachInTurn(due, (one) => queueSending(db, one.merchantId));
}

function queueSending({ pool }: Services['db'], merchantId: string) {
  const payload = JSON.stringify({ merchantId });
  // A merchant's are always in the same one: one job after another. Its id ends at random.
  const queue = `notices ${Number.parseInt(merchantId.slice(-4), 16) % noticeQueues}`;
  return pool.run(sql`
    select graphile_worker.add_job(
      ${sendNoticesTask}, ${payload}::text::json, ${queue}, job_key => ${`notices ${merchantId}`})`);
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
  message: Notice;
  phone: string;
  template: TemplateUse;
  /** As the customer reads it. */
  text: string;
}
type Dropped = { message: Notice; outcome: 'dropped'; reason: Sentence };

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
        await throttle({ db: tx.db, systemClock: services.systemClock }, limit);
      }
      return ready;
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too_many_attempts') return null;
    throw error;
  }
}

async function takeNext({ merchantId, db }: Tx, now: Date) {
  const { id, attempts, dueAt } = messages;
  const next = db.$with('next').as(
    db
      .select({ id })
      .from(messages)
      .where(
        and(
          eq(messages.merchantId, merchantId),
          eq(messages.state, 'queued').inlineParams(),
          isNotNull(dueAt),
          lte(dueAt, now),
        ),
      )
      .orderBy(dueAt)
      .limit(1)
      .for('update', { skipLocked: true }),
  );
  const [message] = await db
    .with(next)
    .update(messages)
    .set({ attempts: sql`${attempts} + 1`, dueAt: new Date(now.getTime() + leaseMs) })
    .from(next)
    .where(and(eq(messages.merchantId, merchantId), eq(id, next.id)))
    .returning({
      ...{ id, attempts },
      // What is due some time is a notice, and has all of these.
      kind: sql<NoticeKind>`${messages.kind}`,
      customerId: sql<string>`${messages.customerId}`,
      subject: sql<string>`${messages.subject}`,
    });
  return message;
}

type Notice = NonNullable<Awaited<ReturnType<typeof takeNext>>>;

async function prepare(tx: Tx, merchant: Merchant, message: Notice, now: Date): Promise<Ready | Dropped> {
  const drop = (reason: Sentence): Dropped => ({ message, outcome: 'dropped', reason });
  const { kind, customerId, subject } = message;
  const [[customer], templates] = await Promise.all([findRecipient(tx, customerId), templatesOf(tx, kind)]);
  if (!customer?.phone) return drop(say('phoneGone'));
  if (customer.messagesOptedOutAt !== null) return drop(say('wantsNoMessages'));
  const template = choose(templates, [customer.language, new Intl.Locale(merchant.locale).language, 'en']);
  if (!template) return drop(say('kindSwitchedOff'));
  const { templateName, language, body } = template;
  const facts = await readFacts(tx, kind, { customerId, subject, language, merchant, now });
  if (!facts) return drop(say('notSoAnyMore'));
  const values = { ...facts, name: customer.givenName };
  return {
    message,
    phone: customer.phone,
    template: { templateName, language, parameters: parametersOf(body, values) },
    text: fillBody(body, values),
  };
}

function findRecipient({ merchantId, db }: Tx, customerId: string) {
  const { givenName, phone, language, messagesOptedOutAt } = customers;
  return db
    .select({ givenName, phone, language, messagesOptedOutAt })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId)));
}

/** Those that are on. */
function templatesOf({ merchantId, db }: Tx, kind: NoticeKind) {
  const { language, templateName, body } = messageTemplates;
  return db
    .select({ language, templateName, body })
    .from(messageTemplates)
    .where(and(eq(messageTemplates.merchantId, merchantId), eq(messageTemplates.kind, kind), messageTemplates.isOn))
    .orderBy(language);
}

/** In the first of these languages that there is one in, else in any. */
const choose = <Template extends { language: MessageLanguage }>(
  templates: Template[],
  languages: (string | null)[],
): Template | undefined =>
  languages.map((wanted) => templates.find(({ language }) => language === wanted)).find(Boolean) ?? templates[0];

type Outcome = Delivery | { outcome: 'inbox'; text: string } | { outcome: 'dropped'; reason: Sentence };

/** To the customer; in a sandbox without a messenger to the inbox. */
async function deliver({ messenger: way }: Services, messenger: Messenger, ready: Ready): Promise<Outcome> {
  if (way === 'inbox') return { outcome: 'inbox', text: ready.text };
  return messenger.sendNotice(ready.phone, ready.template);
}

async function record(
  services: Services,
  merchant: Merchant,
  { id, attempts }: Notice,
  outcome: Outcome,
): Promise<void> {
  const now = services.clock.now();
  const isPending = outcome.outcome === 'retry' && attempts < maxAttempts;
  const state = isPending ? 'queued' : stateAfter[outcome.outcome];
  const providerId = outcome.outcome === 'sent' ? outcome.providerId : null;
  const failure = 'reason' in outcome ? outcome.reason : null;
  const secret = outcome.outcome === 'inbox' ? sealSecret(services.messageKey, id, outcome.text) : null;
  const tried = outcome.outcome === 'dropped' ? attempts - 1 : attempts;
  const dueAt = isPending ? new Date(now.getTime() + 2 ** attempts * 60_000) : now;
  await withMerchant(services.db, merchant.id, (tx) =>
    Promise.all([
      tx.db
        .update(messages)
        .set({ state, providerId, failure, secret, attempts: tried, dueAt, updatedAt: now })
        .where(isToRecord(tx, id, providerId)),
      announce(tx, 'messages'),
    ]),
  );
}

const stateAfter = { sent: 'sent', inbox: 'inbox', refused: 'failed', retry: 'failed', dropped: 'failed' } as const;
