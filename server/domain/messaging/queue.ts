import { sql } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { type codeKinds, messages } from '@/db/schema';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import { newId } from '../core/ids';
import { sealSecret } from '../core/secrets';

/** Codes that a customer asks for; each kind is one of the messenger's templates. Other messages: `notices.ts`. */
export type CodeKind = (typeof codeKinds)[number];

interface NewMessage {
  /** A customer, or a phone (E.164) of nobody known. */
  recipient: { customerId: string; phone?: undefined } | { phone: string; customerId?: undefined };
  kind: CodeKind;
  /** The code that it carries. */
  secret: string;
  now: Date;
}

/** The job that delivers a message, as the worker knows it. */
export const deliverMessageTask = 'deliver-message';
/** With the queue's growing pauses (2.7 s, 7.4 s, 20 s … 6 h) the last would come after a day: the day ends it first. */
const maxAttempts = 14;
/** Somebody waits for it: before all that the worker does by the clock (0). */
const priority = -10;

/**
 * Queues a message in the database transaction of what it reports. In a sandbox without a messenger it lands in the
 * inbox instead, where the back office shows it.
 */
export async function queueMessage(tx: Tx, services: Services, message: NewMessage): Promise<void> {
  const { merchantId, db } = tx;
  const id = newId(message.now.getTime());
  const { customerId = null, phone = null } = message.recipient;
  const secret = sealSecret(services.messageKey, id, message.secret);
  const state = services.messenger === 'inbox' ? 'inbox' : 'queued';
  const { kind, now } = message;
  const row = { merchantId, id, customerId, phone, kind, channel: 'whatsapp', state, secret } as const;
  await Promise.all([db.insert(messages).values({ ...row, createdAt: now, updatedAt: now }), announce(tx, 'messages')]);
  if (state === 'inbox') return;
  const payload = JSON.stringify({ merchantId, messageId: id });
  await db.run(
    sql`select graphile_worker.add_job(${deliverMessageTask}, ${payload}::text::json, max_attempts => ${maxAttempts}, priority => ${priority})`,
  );
}
