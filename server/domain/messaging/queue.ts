import { sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { type codeKinds, messages } from '@/db/schema';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { newId } from '../kernel/ids';
import { jobPayload } from '../kernel/job-payload';
import { sealSecret } from '../kernel/secrets';

/** Codes that customers request; each kind is one of the messenger's templates. Other messages are in `notices.ts`. */
export type CodeKind = (typeof codeKinds)[number];

interface NewMessage {
  /** A customer, or an unknown phone (E.164). */
  recipient: { customerId: string; phone?: undefined } | { phone: string; customerId?: undefined };
  kind: CodeKind;
  /** The code in the message. */
  secret: string;
  now: Date;
}

/** The worker's job that delivers a message. */
export const deliverMessageTask = 'deliver-message';
/**
 * With the queue's growing delays (2.7 s, 7.4 s, 20 s … 6 h), the last try would come after a day, when the message is
 * given up anyway.
 */
const maxAttempts = 14;
/** Before scheduled tasks (0), because a person is waiting for it. */
const priority = -10;

/**
 * Queues a message in the database transaction of what it reports. A sandbox without a messenger puts it into the
 * inbox, which the back office shows.
 */
export async function queueMessage(tx: Tx, services: Services, message: NewMessage): Promise<void> {
  const { merchantId, db } = tx;
  const id = newId(message.now.getTime());
  const { customerId = null, phone = null } = message.recipient;
  const secret = sealSecret(services.messageKey, id, message.secret);
  const state = services.messenger === 'inbox' ? 'inbox' : 'queued';
  const { kind, now } = message;
  const row = { merchantId, id, customerId, phone, kind, channel: 'whatsapp', state, secret } as const;
  await Promise.all([
    db.insert(messages).values({ ...row, createdAt: now, updatedAt: now }),
    announceChange(tx, 'messages'),
  ]);
  if (state === 'inbox') return;
  const payload = jobPayload({ merchantId, messageId: id });
  await db.run(
    sql`select graphile_worker.add_job(${deliverMessageTask}, ${payload}::text::json, max_attempts => ${maxAttempts}, priority => ${priority})`,
  );
}
