import { count, eq } from 'drizzle-orm';
import { queriesOn } from '@/db/driver';
import { only } from '@/db/query/queries';
import { ledgerEntries, merchantMoves } from '@/db/schema';
import { verifyLedger } from '@/server/domain/ledger';
import { asOwner } from './database';
import { readOptions } from './run';

/**
 * Checks the ledger's invariants over the whole database, except for merchants that are arriving from another cell.
 * Exits with 1 if any is violated.
 */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const { violations, entries, name } = await asOwner(async (owner, name) => {
    const db = queriesOn(owner);
    const counted = only(await db.select({ entries: count() }).from(ledgerEntries));
    const found = await verifyLedger(owner);
    // Rows that are still being copied are incomplete. The move checks them at its end.
    const arriving = await db
      .select({ id: merchantMoves.merchantId })
      .from(merchantMoves)
      .where(eq(merchantMoves.state, 'arriving'));
    const violations = found.filter(({ merchantId }) => !arriving.some(({ id }) => id === merchantId));
    return { violations, ...counted, name };
  });
  for (const { rule, merchantId, subject, found } of violations) {
    process.stdout.write(`Violated: ${rule}: merchant ${merchantId}, ${subject}: ${found}\n`);
  }
  process.stdout.write(
    violations.length === 0
      ? `The ledger of ${name} is correct: ${entries} entries checked.\n`
      : `Violations in ${name}: ${violations.length}.\n`,
  );
  if (violations.length > 0) process.exitCode = 1;
}
