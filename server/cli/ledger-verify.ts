/** `npm run ledger:verify`: checks the ledger's invariants over the whole database. Exits with 1 if any is violated. */
import { count, getTableName, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { queriesOn } from '@/db/client';
import { only } from '@/db/queries';
import { ledgerEntries } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { verifyLedger } from '@/server/domain/ledger';
import { nameOf, withDatabase } from './database';
import { run } from './run';

run(async () => {
  const { violations, entries, where } = await withDatabase(async (ownerUrl) => {
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => {} });
    const db = queriesOn(owner);
    const isBound = sql<boolean>`row_security_active(${getTableName(ledgerEntries)}::text)`;
    const [bound] = await db.select({ isBound }).from(sql`(select) one`);
    if (bound?.isBound) {
      throw new StartupError(
        'This sign-in sees no rows of the ledger (row-level security): let DATABASE_OWNER_URL sign in as the owner.',
      );
    }
    const counted = only(await db.select({ entries: count() }).from(ledgerEntries));
    const found = { violations: await verifyLedger(owner), ...counted, where: nameOf(ownerUrl) };
    await owner.end();
    return found;
  });
  for (const { rule, merchantId, subject, found } of violations) {
    process.stdout.write(`Violated: ${rule}: merchant ${merchantId}, ${subject}: ${found}\n`);
  }
  process.stdout.write(
    violations.length === 0
      ? `The ledger of ${where} is correct: ${entries} entries checked.\n`
      : `Violations in ${where}: ${violations.length}.\n`,
  );
  if (violations.length > 0) process.exit(1);
});
