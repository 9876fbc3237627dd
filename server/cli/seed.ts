/** `npm run seed [-- --customers 100000]`: seeds the demo's data and, on request, many customers for measurements. */

import { count, sql } from 'drizzle-orm';
import { openSql, queriesOn } from '@/db/driver';
import { only } from '@/db/query/queries';
import { customers } from '@/db/schema';
import { demoMerchants } from '@/db/seed/demo-data';
import { StartupError } from '@/db/startup-error';
import { databaseEnvironment, ownerAddress } from './database';
import { prepareDemo, seedCrowd } from './demo-environment';
import { readOptions, run } from './run';

const batch = 20_000;

run(async () => {
  const values = readOptions({ customers: { type: 'string' } });
  if (databaseEnvironment() === 'production') throw new StartupError('Demo data does not belong in production.');
  const wanted = Number(values.customers ?? 0);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 5_000_000) {
    throw new StartupError('--customers takes a whole number up to 5,000,000');
  }
  const total = await seed(await ownerAddress(), wanted);
  process.stdout.write(`\nThe demo has ${demoMerchants.length} merchants and the database ${total} customers.\n`);
});

/** Returns the number of customers afterwards. */
async function seed(ownerUrl: string, wanted: number): Promise<number> {
  await prepareDemo(ownerUrl, `http://localhost:${process.env.PORT || 3000}`);
  const owner = openSql(ownerUrl);
  const db = queriesOn(owner);
  const [merchant] = demoMerchants;
  for (let reached = batch; wanted > 0 && reached < wanted + batch; reached += batch) {
    await seedCrowd(owner, merchant, Math.min(reached, wanted));
    process.stdout.write(`\r${Math.min(reached, wanted)} of ${wanted} customers`);
  }
  if (wanted > 0) await db.run(sql`analyze`);
  const { total } = only(await db.select({ total: count() }).from(customers));
  await owner.end();
  return total;
}
