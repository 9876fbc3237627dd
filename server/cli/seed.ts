/** `npm run seed [-- --customers 100000]`: the demo's data, and on request a crowd of customers for measurements. */
import postgres from 'postgres';
import { demoMerchants } from '@/db/seed/demo-data';
import { StartupError } from '@/server/env';
import { databaseEnvironment, withDatabase } from './database';
import { prepareDemo, seedCrowd } from './demo-environment';
import { readOptions, run } from './run';

const batch = 20_000;

run(async () => {
  const values = readOptions({ customers: { type: 'string' } });
  if (databaseEnvironment() === 'production') throw new StartupError('Demo data does not belong in production.');
  const count = Number(values.customers ?? 0);
  if (!Number.isInteger(count) || count < 0 || count > 5_000_000) {
    throw new StartupError('--customers takes a whole number up to 5,000,000');
  }
  const customers = await withDatabase((ownerUrl) => seed(ownerUrl, count));
  process.stdout.write(
    `\nThe demo's ${demoMerchants.length} merchants are there, with ${customers} customers in all.\n`,
  );
});

/** Answers how many customers there are then. */
async function seed(ownerUrl: string, count: number): Promise<number> {
  await prepareDemo(ownerUrl, `http://localhost:${process.env.PORT || 3000}`);
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  const [merchant] = demoMerchants;
  for (let reached = batch; count > 0 && reached < count + batch; reached += batch) {
    await seedCrowd(sql, merchant, Math.min(reached, count));
    process.stdout.write(`\r${Math.min(reached, count)} of ${count} customers`);
  }
  if (count > 0) await sql`analyze`;
  const [{ customers }] = await sql<[{ customers: number }]>`select count(*)::int as customers from customers`;
  await sql.end();
  return customers;
}
