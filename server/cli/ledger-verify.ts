/** `npm run ledger:verify`: checks the ledger's invariants over the whole database. Exits with 1 if any is violated. */
import { count } from 'drizzle-orm';
import postgres from 'postgres';
import { queriesOn } from '@/db/client';
import { only } from '@/db/queries';
import { ledgerEntries } from '@/db/schema';
import { verifyLedger } from '@/server/domain/ledger';
import { ensureOwner, nameOf, withDatabase } from './database';
import { run } from './run';

run(async () => {
  const { violations, entries, where } = await withDatabase(async (ownerUrl) => {
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => {} });
    const db = queriesOn(owner);
    await ensureOwner(db);
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
