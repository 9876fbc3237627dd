import { count } from 'drizzle-orm';
import { queriesOn } from '@/db/client';
import { only } from '@/db/queries';
import { ledgerEntries } from '@/db/schema';
import { verifyLedger } from '@/server/domain/ledger';
import { asOwner } from './database';
import { readOptions } from './run';

/** Checks the ledger's invariants over the whole database. Exits with 1 if any is violated. */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const { violations, entries, name } = await asOwner(async (owner, name) => {
    const counted = only(await queriesOn(owner).select({ entries: count() }).from(ledgerEntries));
    return { violations: await verifyLedger(owner), ...counted, name };
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
