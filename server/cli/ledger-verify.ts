/** `npm run ledger:verify`: proves the ledger's invariants over the whole database. Exits with 1 where something is off. */
import postgres from 'postgres';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { openDatabase } from './demo-environment';
import { run } from './run';

run(async () => {
  const database = await openDatabase();
  const sql = postgres(database.ownerUrl, { max: 1, onnotice: () => {} });
  const violations = await verifyLedger(sql);
  const [{ entries }] = await sql<[{ entries: number }]>`select count(*)::int as entries from ledger_entries`;
  await sql.end();
  await database.stop();
  for (const { rule, merchantId, subject, found } of violations) {
    process.stdout.write(`Off: ${rule}: merchant ${merchantId}, ${subject}: ${found}\n`);
  }
  process.stdout.write(
    violations.length === 0 ? `The ledger is right: ${entries} entries.\n` : `${violations.length} findings.\n`,
  );
  if (violations.length > 0) process.exit(1);
});
