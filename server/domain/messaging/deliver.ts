import { and, eq, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { giveUpMessages, recordDeliveryReceipt } from '@/db/query/functions';
import { codeKinds, customers, messages } from '@/db/schema';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { inEnglish } from '../kernel/in-english';
import { type Sentence, say } from '../kernel/say';
import { tryOpenSecret } from '../kernel/secrets';
import type { CodeKind } from './queue';
import type { MessageLanguage } from './schemas';

/** A messenger's response: accepted with its id, refused for good, or to be retried. */
export type Delivery<Reason = Sentence> =
  | { outcome: 'sent'; providerId: string }
  | { outcome: 'refused'; reason: Reason }
  | { outcome: 'retry'; reason: Reason };

export interface Messenger {
  /** `to` is E.164. Never throws. */
  sendCode(kind: CodeKind, to: string, code: string): Promise<Delivery>;
  sendNotice(to: string, notice: TemplateUse): Promise<Delivery>;
}

/** A messenger's template by name, with its parameters. */
export interface TemplateUse {
  templateName: string;
  language: MessageLanguage;
  parameters: string[];
}

/** The message was not accepted: the queue retries it. */
export class DeliveryPending extends Error {}

const giveUpAfterMs = 24 * 60 * 60_000;
/** After this, a one-time code has expired, and the diner has requested another. */
const giveUpCodeAfterMs = 10 * 60_000;

/**
 * Delivers a queued message, and erases its code once it is sent or given up. A retry sends the same code. Errors:
 * `DeliveryPending` if it is to be retried.
 */
export async function deliverMessage(
  services: Services,
  messenger: Messenger,
  { merchantId, messageId, isLastAttempt }: { merchantId: string; messageId: string; isLastAttempt: boolean },
): Promise<void> {
  const { db, clock, messageKey } = services;
  const message = await withMerchant(db, merchantId, (tx) => findQueued(tx, messageId));
  const kind = codeKinds.find((one) => one === message?.kind);
  if (!message?.secret || !kind) return;
  const code = tryOpenSecret(messageKey, messageId, message.secret);
  const maxAgeMs = kind === 'code' ? giveUpCodeAfterMs : giveUpAfterMs;
  const isTooLate = () => clock.now().getTime() - message.createdAt.getTime() > maxAgeMs;
  const giveUpReason =
    (code === null && say('codeUnreadable')) ||
    (message.phone === null && say('phoneGone')) ||
    (isTooLate() && (message.failure ?? say('tooLate')));
  const delivery: Delivery = giveUpReason
    ? { outcome: 'refused', reason: giveUpReason }
    : await messenger.sendCode(kind, message.phone as string, code as string);

  const now = clock.now();
  const isPending = delivery.outcome === 'retry' && !isLastAttempt && !isTooLate();
  const state = delivery.outcome === 'sent' ? 'sent' : isPending ? 'queued' : 'failed';
  const providerId = delivery.outcome === 'sent' ? delivery.providerId : null;
  const failure = delivery.outcome === 'sent' ? null : delivery.reason;
  await withMerchant(db, merchantId, (tx) =>
    Promise.all([
      tx.db
        .update(messages)
        .set({
          state,
          attempts: sql`${messages.attempts} + 1`,
          providerId,
          failure,
          secret: isPending ? undefined : null,
          updatedAt: now,
        })
        .where(isToRecord(tx, messageId, providerId)),
      announceChange(tx, 'messages'),
    ]),
  );
  if (isPending) throw new DeliveryPending(inEnglish(delivery.reason));
}

async function findQueued({ merchantId, db }: Tx, messageId: string) {
  const { kind, secret, createdAt } = messages;
  const failure = sql<Sentence | null>`${messages.failure}`;
  const phone = sql<string | null>`coalesce(${messages.phone}, ${customers.phone})`;
  const [message] = await db
    .select({ kind, secret, createdAt, failure, phone })
    .from(messages)
    .leftJoin(customers, and(eq(customers.merchantId, messages.merchantId), eq(customers.id, messages.customerId)))
    .where(
      and(eq(messages.merchantId, merchantId), eq(messages.id, messageId), eq(messages.state, 'queued').inlineParams()),
    );
  return message;
}

/**
 * True if the result may be recorded. A message that was given up meanwhile stays given up, unless it was sent after
 * all.
 */
export const isToRecord = ({ merchantId }: Tx, messageId: string, providerId: string | null) =>
  and(
    eq(messages.merchantId, merchantId),
    eq(messages.id, messageId),
    or(eq(messages.state, 'queued').inlineParams(), sql`${providerId}::text is not null`),
  );

/** Gives up messages older than a day, whatever the state of their jobs, and erases their codes. */
export async function giveUpOldMessages({ db, clock }: Services): Promise<void> {
  const { $rows } = giveUpMessages({ before: new Date(clock.now().getTime() - giveUpAfterMs) });
  await db.pool.run(sql`select from ${$rows}`);
}

/**
 * Records a messenger's receipt for an accepted message. Later states are kept. Returns false for an unknown id: a
 * receipt may arrive before we have stored the id.
 */
export async function recordReceipt(
  { db }: Services,
  receipt: { providerId: string; state: 'sent' | 'delivered' | 'read' | 'failed'; failure: Sentence | null },
): Promise<boolean> {
  const { providerId: provider, state: newState, failure: reason } = receipt;
  const { $rows, isKnown } = recordDeliveryReceipt({ provider, newState, reason });
  const [row] = await db.pool.select({ isKnown }).from($rows);
  return row?.isKnown === true;
}
