/** Limits how many customers that an API key enrols in a day get sign-up vouchers. */
import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { only } from '@/db/query/queries';
import { apiKeys } from '@/db/schema';
import { dateIn } from '../kernel/calendar';
import type { Merchant } from '../kernel/context';
import { say } from '../kernel/say';
import { LimitExceeded, reportLimit } from './daily-limits';

/**
 * Counts a customer whom a key enrols, and returns whether the sign-up vouchers are within the key's limit. The first one
 * beyond it is reported. The key's row stays locked until the end, so call it before balances and bills are locked.
 */
export async function countSignUp(tx: Tx, merchant: Merchant, apiKeyId: string, now: Date): Promise<boolean> {
  const { keyDailySignUps: maximum } = merchant;
  if (maximum === null) return true;
  const day = dateIn(merchant, now);
  const { signUps, signUpsOn } = apiKeys;
  const { total } = only(
    await tx.db
      .update(apiKeys)
      .set({ signUps: sql`case when ${signUpsOn} = ${day}::date then ${signUps} else 0 end + 1`, signUpsOn: day })
      .where(and(eq(apiKeys.merchantId, tx.merchantId), eq(apiKeys.id, apiKeyId)))
      .returning({ total: signUps }),
  );
  if (total <= maximum) return true;
  const occasion = { merchant, actor: { kind: 'apiKey', id: apiKeyId }, customerId: null, now } as const;
  const details = { limit: 'keyDailySignUps', maximum };
  if (total === maximum + 1) {
    await reportLimit(tx, occasion, new LimitExceeded(say('keyDailySignUps', { limit: maximum }), details, total));
  }
  return false;
}
