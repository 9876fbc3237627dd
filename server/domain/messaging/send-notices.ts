/** Sends queued notices: a limited number per minute and merchant, one after another. */

import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { merchantsWithDueNotices } from '@/db/query/functions';
import { customers, messages, messageTemplates } from '@/db/schema';
import { announceChange } from '../kernel/changes';
import type { Merchant, NoticeKind, Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { DomainError } from '../kernel/errors';
import { jobPayload } from '../kernel/job-payload';
import { type Sentence, say } from '../kernel/say';
import { sealSecret } from '../kernel/secrets';
import { countAgainst } from '../limits';
import { findMerchant, withMerchantClock } from '../merchants';
import { noticeWords } from './default-templates';
import { type Delivery, isToRecord, type Messenger, type TemplateUse } from './deliver';
import { readFacts } from './notice-facts';
import { requestedKinds } from './notices';
import { isQuiet } from './quiet-hours';
import type { MessageLanguage } from './schemas';
import { fillBody, parametersOf } from './wording';

/** The worker's job that sends a merchant's notices. */
export const sendNoticesTask = 'send-notices';
/**
 * Max per minute and merchant over all jobs, so that a campaign to all of its customers leaves room for other
 * merchants.
 */
const maxNoticesPerMinute = 600;
/** Notices per job. The next job continues, so that stopping a worker takes little time. */
const batchSize = 50;
/** Concurrent jobs of all merchants, so that a messenger that does not respond can't occupy the whole worker. */
const noticeQueues = 3;
/** How long a job may take to send a notice before another job takes the notice. */
const leaseMs = 2 * 60_000;
/** With delays of 2, 4, 8 … minutes, the last try comes after four hours. */
const maxAttempts = 8;

/** Queues sending for every merchant with due notices outside of quiet hours. */
export async function beginSending({ db, systemClock }: Services): Promise<void> {
  const { $rows, merchantId } = merchantsWithDueNotices({ at: systemClock.now() });
  const due = await db.pool.select({ merchantId }).from($rows);
  await forEachInTurn(due, (one) => queueSending(db, one.merchantId));
}

/** Queues a job that sends a merchant's due notices now. */
export function queueSending({ pool }: Services['db'], merchantId: string) {
  const payload = jobPayload({ merchantId });
  // A merchant's jobs always use the same queue, so they run one after another. The end of a merchant's id is random.
  const queue = `notices ${Number.parseInt(merchantId.slice(-4), 16) % noticeQueues}`;
  return pool.run(sql`
    select graphile_worker.add_job(
      ${sendNoticesTask}, ${payload}::text::json, ${queue}, job_key => ${`notices ${merchantId}`})`);
}

/**
 * Sends a batch of due notices (in quiet hours only requested ones), up to the minute's limit. Stops at a notice that
 * must be retried, because the others would fail, too; the next job sends the rest. Several jobs may run at once, with
 * different notices. If a job is killed, its notices are sent after their lease.
 */
export async function sendNotices(services: Services, messenger: Messenger, merchantId: string): Promise<void> {
  const merchant = await findMerchant(services, merchantId);
  if (!merchant) return;
  const merchantServices = withMerchantClock(services, merchant);
  for (let sent = 0; sent < batchSize && !services.stopping?.aborted; sent++) {
    const notice = await takeNotice(merchantServices, merchant);
    if (!notice) return;
    const delivery = 'template' in notice ? await deliver(merchantServices, messenger, notice) : notice;
    await record(merchantServices, merchant, notice.message, delivery);
    if (delivery.outcome === 'retry') return;
  }
  await queueSending(merchantServices.db, merchantId);
}

interface Ready {
  message: Notice;
  phone: string;
  template: TemplateUse;
  /** The text that the customer gets. */
  text: string;
}
type Dropped = { message: Notice; outcome: 'dropped'; reason: Sentence };

/** Takes the next notice, and reads what is needed to send it or why it is dropped. Null if none is due now. */
async function takeNotice(services: Services, merchant: Merchant): Promise<Ready | Dropped | null> {
  try {
    return await withMerchant(services.db, merchant.id, async (tx) => {
      const now = services.clock.now();
      const message = await takeNext(tx, now, isQuiet(merchant, now) ? requestedKinds : null);
      if (!message) return null;
      const ready = await prepare(tx, merchant, message, now);
      // Counted last, because all jobs of the merchant share the limit's row. Dropped notices are not counted.
      if ('template' in ready) {
        const limit = { key: `notices:${merchant.id}`, attempts: maxNoticesPerMinute, windowSeconds: 60 };
        await countAgainst({ db: tx.db, systemClock: services.systemClock }, limit);
      }
      return ready;
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too_many_attempts') return null;
    throw error;
  }
}

/** With `kinds`, only notices of these; null for all. */
async function takeNext({ merchantId, db }: Tx, now: Date, kinds: NoticeKind[] | null) {
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
          kinds ? inArray(messages.kind, kinds) : undefined,
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
      id,
      attempts,
      // Due messages are notices, so these columns are set.
      kind: sql<NoticeKind>`${messages.kind}`,
      customerId: messages.customerId,
      phone: messages.phone,
      subject: sql<string>`${messages.subject}`,
    });
  return message;
}

type Notice = NonNullable<Awaited<ReturnType<typeof takeNext>>>;

async function prepare(tx: Tx, merchant: Merchant, message: Notice, now: Date): Promise<Ready | Dropped> {
  const drop = (reason: Sentence): Dropped => ({ message, outcome: 'dropped', reason });
  const { kind, phone, subject } = message;
  // A notice to a phone that is no longer the customer's has the customer as its subject.
  const customerId = message.customerId ?? subject;
  const [[found], templates] = await Promise.all([findRecipient(tx, customerId), templatesOf(tx, kind)]);
  const customer = found && { ...found, phone: phone ?? found.phone };
  if (!customer?.phone) return drop(say('phoneGone'));
  if (customer.messagesOptedOutAt !== null && !requestedKinds.includes(kind)) return drop(say('wantsNoMessages'));
  const template = choose(templates, [customer.language, new Intl.Locale(merchant.locale).language, 'en']);
  if (!template) return drop(say('kindSwitchedOff'));
  const { templateName, language, body } = template;
  const facts = await readFacts(tx, kind, { customerId, subject, language, merchant, now });
  if (!facts) return drop(say('notSoAnyMore'));
  const name = customer.givenName || customer.lastName || noticeWords[language].nameless;
  const values = { ...facts, name };
  return {
    message,
    phone: customer.phone,
    template: { templateName, language, parameters: parametersOf(body, values) },
    text: fillBody(body, values),
  };
}

function findRecipient({ merchantId, db }: Tx, customerId: string) {
  const { givenName, lastName, phone, language, messagesOptedOutAt } = customers;
  return db
    .select({ givenName, lastName, phone, language, messagesOptedOutAt })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId)));
}

/** Selects the enabled templates. */
function templatesOf({ merchantId, db }: Tx, kind: NoticeKind) {
  const { language, templateName, body } = messageTemplates;
  return db
    .select({ language, templateName, body })
    .from(messageTemplates)
    .where(and(eq(messageTemplates.merchantId, merchantId), eq(messageTemplates.kind, kind), messageTemplates.isOn))
    .orderBy(language);
}

/** Returns the template in the first of these languages that has one, or else any template. */
const choose = <Template extends { language: MessageLanguage }>(
  templates: Template[],
  languages: (string | null)[],
): Template | undefined =>
  languages.map((wanted) => templates.find(({ language }) => language === wanted)).find(Boolean) ?? templates[0];

type Outcome = Delivery | { outcome: 'inbox'; text: string } | { outcome: 'dropped'; reason: Sentence };

/** Sends to the customer, or to the inbox in a sandbox without a messenger. */
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
      announceChange(tx, 'messages'),
    ]),
  );
}

const stateAfter = { sent: 'sent', inbox: 'inbox', refused: 'failed', retry: 'failed', dropped: 'failed' } as const;
