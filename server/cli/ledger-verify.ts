/** `npm run ledger:verify`: proves the ledger's invariants over the whole database. Exits with 1 where something is off. */
import postgres from 'postgres';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { StartupError } from '../env';
import { nameOf, withDatabase } from './database';
import { run } from './run';

run(async () => {
  const { violations, entries, where } = await withDatabase(async (ownerUrl) => {
    const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
    const [bound] = await sql<[{ isBound: boolean }]>`select row_security_active('ledger_entries') as "isBound"`;
    if (bound.isBound) {
      throw new StartupError(
        'This sign-in sees no rows of the ledger (row-level security): let DATABASE_OWNER_URL sign in as the owner.',
      );
    }
    const [count] = await sql<[{ entries: number }]>`select count(*)::int as entries from ledger_entries`;
    const found = { violations: await verifyLedger(sql), ...count, where: nameOf(ownerUrl) };
    await sql.end();
    return found;
  });
  for (const { rule, merchantId, subject, found } of violations) {
    process.stdout.write(`Off: ${rule}: merchant ${merchantId}, ${subject}: ${found}\n`);
  }
  process.stdout.write(
    violations.length === 0
      ? `The ledger of ${where} is right: ${entries} entries.\n`
      : `${violations.length} findings in ${where}.\n`,
  );
  if (violations.length > 0) process.exit(1);
});
