import { sql } from 'drizzle-orm';
import { forgetDiners as deleteEnded } from '@/db/query/functions';
import type { Services } from '../kernel/context';

/** Messages to unknown phones are kept no longer than this. */
const messagesKeptMs = 30 * 24 * 60 * 60_000;

/** Deletes expired codes and sessions and old messages to unknown phones, for all merchants. */
export async function forgetDiners({ db, clock }: Services): Promise<void> {
  const now = clock.now();
  const { $rows } = deleteEnded({ ended: now, before: new Date(now.getTime() - messagesKeptMs) });
  await db.pool.run(sql`select from ${$rows}`);
}
