import { withMerchant } from '@/db/driver';
import { logSecurity } from '@/server/observe/security-log';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { countAttempt, countRefusal } from '../limits';

const windowSeconds = 60 * 60;
/** More than a cashier needs, with a search and a page for each customer served. */
export const mostLookUps = 300;

/**
 * Counts a cashier's search, or a customer whom the cashier opens. The same customer counts once an hour, because an
 * open page reloads by itself. Otherwise a cashier could list all customers, by trying numbers or by opening the
 * customer of each transaction. Errors: `too_many_attempts`.
 */
export async function countLookUp(ctx: StaffContext, customerId: string | null): Promise<void> {
  const { db, merchant, staff, systemClock } = ctx;
  if (staff.role !== 'cashier') return;
  const key = `look-ups of ${staff.userId} at ${merchant.id}`;
  // In one database transaction, so that a refused customer does not count as opened.
  const counted = withMerchant(db, merchant.id, async (tx) => {
    const count = (name: string, attempts: number) =>
      countAttempt({ db: tx.db, systemClock }, { key: name, attempts, windowSeconds });
    if (customerId !== null && (await count(`${key}: ${customerId}`, 1)).attempts > 1) return;
    const { attempts, retryAfterSeconds } = await count(key, mostLookUps);
    if (attempts > mostLookUps) throw new TooManyLookUps(retryAfterSeconds);
  });
  await counted.catch(async (error) => {
    if (error instanceof TooManyLookUps) await logRefusal(ctx, key);
    throw error;
  });
}

class TooManyLookUps extends DomainError {
  constructor(retryAfterSeconds: number) {
    super('too_many_attempts', say('tooManyLookUps'), { retryAfterSeconds });
  }
}

/** Never throws, because the look-up is refused in any case. */
async function logRefusal(ctx: StaffContext, key: string): Promise<void> {
  const attempts = await countRefusal(ctx, key).catch(() => null);
  if (attempts === null) return;
  const facts = { userId: ctx.staff.userId, merchantId: ctx.merchant.id, maximum: mostLookUps, attempts };
  logSecurity('customers.look_ups_limited', facts);
}
