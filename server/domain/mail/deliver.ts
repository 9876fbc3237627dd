import { and, eq } from 'drizzle-orm';
import { mails } from '@/db/schema';
import type { Services } from '../kernel/context';
import { tryOpenSecret } from '../kernel/secrets';
import { type Delivery, DeliveryPending } from '../messaging';
import type { Letter } from './queue';

export interface Mailer {
  /** Never throws. */
  send(mail: { id: string; recipient: string; letter: Letter }): Promise<Delivery<string>>;
}

/**
 * Sends a queued mail, and erases its content once it is sent or given up. Errors: `DeliveryPending` if it is to be
 * retried.
 */
export async function deliverMail(
  { db, clock, messageKey }: Services,
  mailer: Mailer,
  { mailId, isLastAttempt }: { mailId: string; isLastAttempt: boolean },
): Promise<void> {
  const isQueued = and(eq(mails.id, mailId), eq(mails.state, 'queued').inlineParams());
  const [mail] = await db.pool.select({ recipient: mails.recipient, letter: mails.letter }).from(mails).where(isQueued);
  if (!mail) return;
  const letter = mail.letter && tryOpenSecret(messageKey, mailId, mail.letter);
  const delivery: Delivery<string> =
    letter === null
      ? { outcome: 'refused', reason: 'the letter cannot be read any more' }
      : await mailer.send({ id: mailId, recipient: mail.recipient, letter: JSON.parse(letter) });
  const isPending = delivery.outcome === 'retry' && !isLastAttempt;
  const state = delivery.outcome === 'sent' ? 'sent' : isPending ? 'queued' : 'failed';
  const failure = delivery.outcome === 'sent' ? null : delivery.reason;
  await db.pool
    .update(mails)
    .set({ state, failure, letter: isPending ? undefined : null, updatedAt: clock.now() })
    .where(isQueued);
  if (isPending) throw new DeliveryPending(delivery.reason);
}
