import { sql } from 'drizzle-orm';
import { forgetDiners as deleteEnded } from '@/db/functions';
import type { Services } from '../core/context';

/** What was sent to a phone of nobody known is not kept for longer. */
const messagesKeptMs = 30 * 24 * 60 * 60_000;

/** Deletes, for all merchants, the codes and sessions that have ended, and what was sent to strangers. */
export async function forgetDiners({ db, clock }: Services): Promise<void> {
  const now = clock.now();
  const { $rows } = deleteEnded({ ended: now, before: new Date(now.getTime() - messagesKeptMs) });
  await db.pool.run(sql`select from ${$rows}`);
}
