import { eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { resetSandboxMerchant } from '@/db/query/functions';
import { balances } from '@/db/schema';
import { auditChange } from '../kernel/audit';
import { announceChange, topics } from '../kernel/changes';
import type { PosContext } from '../kernel/context';
import { lockMerchant, withMerchantClock } from '../merchants';
import { setFaults } from './faults';
import type { ResetOutput } from './schemas';
import { hasTestData, seedTestRows, seedTestTransactions } from './test-data';

/**
 * Deletes a sandbox merchant's customers and activity, and sets its clock to the real time. Its offers, stores, keys
 * and staff are kept. A merchant of the demo gets its test data back. The database itself refuses this for a merchant
 * with a live key.
 */
export async function resetSandbox(ctx: PosContext): Promise<ResetOutput> {
  const { merchant, apiKeyId, systemClock } = ctx;
  const fresh: PosContext = withMerchantClock(
    { ...ctx, merchant: { ...merchant, clockAheadSeconds: 0 } },
    { clockAheadSeconds: 0 },
  );
  await withMerchant(ctx.db, merchant.id, async (tx) => {
    // Waits for running requests, and makes later ones wait: they lock balances, and their rows refer to the
    // merchant's.
    await lockAllBalances(tx);
    await lockMerchant(tx, 'update');
    const { $rows } = resetSandboxMerchant({ merchant: merchant.id });
    await tx.db.run(sql`select from ${$rows}`);
    if (hasTestData(merchant)) await seedTestRows(tx, fresh);
    const subject = { kind: 'merchant', id: merchant.id };
    await auditChange(tx, { kind: 'apiKey', id: apiKeyId }, 'settings.resetSandbox', subject, systemClock.now());
    await Promise.all(topics.map((topic) => announceChange(tx, topic)));
  });
  setFaults(ctx, { next: [] });
  if (hasTestData(merchant)) await seedTestTransactions(fresh);
  return { now: systemClock.now().toISOString() };
}

/** Locked in the usual order. */
const lockAllBalances = ({ merchantId, db }: Tx) =>
  db
    .select({ customerId: balances.customerId })
    .from(balances)
    .where(eq(balances.merchantId, merchantId))
    .orderBy(balances.customerId)
    .for('update');
