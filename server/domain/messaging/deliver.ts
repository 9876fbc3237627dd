import { withMerchant } from '@/db/client';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import type { CodeKind } from './queue';
import type { MessageLanguage } from './schemas';
import { tryOpenSecret } from './secret';

/** What a messenger answers to a message: taken with its id, refused for good, or try again. */
export type Delivery =
  | { outcome: 'sent'; providerId: string }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'retry'; reason: string };

export interface Messenger {
  /** `to` is E.164. Never throws. */
  sendCode(kind: CodeKind, to: string, code: string): Promise<Delivery>;
  sendNotice(to: string, notice: TemplateUse): Promise<Delivery>;
}

/** A template that the messenger knows by its name, and what it puts into its gaps. */
export interface TemplateUse {
  templateName: string;
  language: MessageLanguage;
  parameters: string[];
}

/** The message was not taken: the queue tries it again. */
export class DeliveryPending extends Error {}

const giveUpAfterMs = 24 * 60 * 60_000;
/** A one-time code that comes later works no more, and the diner has asked for another. */
const giveUpCodeAfterMs = 10 * 60_000;

/**
 * Delivers a queued message, and erases the code it carried once it is sent or given up. A retry sends the same code.
 * Errors: `DeliveryPending` where it is to be tried again.
 */
export async function deliverMessage(
  services: Services,
  messenger: Messenger,
  { merchantId, messageId, isLastAttempt }: { merchantId: string; messageId: string; isLastAttempt: boolean },
): Promise<void> {
  const { db, clock, messageKey } = services;
  const message = await withMerchant(db, merchantId, async ({ sql }) => {
    const [row] = await sql`
      select m.kind, m.secret, m.created_at, m.failure, coalesce(m.phone, c.phone) as phone from messages m
      left join customers c on c.merchant_id = m.merchant_id and c.id = m.customer_id
      where m.merchant_id = ${merchantId} and m.id = ${messageId} and m.state = 'queued'`;
    return row;
  });
  if (!message?.secret) return;
  const code = tryOpenSecret(messageKey, messageId, message.secret);
  const patienceMs = message.kind === 'code' ? giveUpCodeAfterMs : giveUpAfterMs;
  const isTooLate = () => clock.now().getTime() - message.created_at.getTime() > patienceMs;
  const hopeless =
    (code === null && 'the code can not be read any more') ||
    (message.phone === null && 'no phone number any more') ||
    (isTooLate() && (message.failure ?? 'its time was over'));
  const delivery: Delivery = hopeless
    ? { outcome: 'refused', reason: hopeless }
    : await messenger.sendCode(message.kind, message.phone, code as string);

  const now = clock.now();
  const isPending = delivery.outcome === 'retry' && !isLastAttempt && !isTooLate();
  const state = delivery.outcome === 'sent' ? 'sent' : isPending ? 'queued' : 'failed';
  const providerId = delivery.outcome === 'sent' ? delivery.providerId : null;
  const failure = delivery.outcome === 'sent' ? null : delivery.reason;
  await withMerchant(db, merchantId, (tx) =>
    Promise.all([
      tx.sql`
        update messages set state = ${state}, attempts = attempts + 1, provider_id = ${providerId}, failure = ${failure},
          secret = case when ${state}::message_state = 'queued' then secret end, updated_at = ${now}
        where merchant_id = ${merchantId} and id = ${messageId}
          and (state = 'queued' or ${providerId}::text is not null)`,
      announce(tx, 'messages'),
    ]),
  );
  if (isPending) throw new DeliveryPending(delivery.reason);
}

/** Gives up what has waited for more than a day, whatever became of its job, and erases the codes. */
export async function giveUpOldMessages({ db, clock }: Services): Promise<void> {
  await db.sql`select give_up_messages(${new Date(clock.now().getTime() - giveUpAfterMs)})`;
}

/**
 * What a messenger's receipt says of a message it took; later states stay. False for an id that no message has, or none
 * yet: a receipt may be quicker than our own note of the id.
 */
export async function recordReceipt(
  { db }: Services,
  receipt: { providerId: string; state: 'sent' | 'delivered' | 'read' | 'failed'; failure: string | null },
): Promise<boolean> {
  const [row] = await db.sql`
    select record_delivery_receipt(${receipt.providerId}, ${receipt.state}, ${receipt.failure}) as is_known`;
  return row?.is_known === true;
}
