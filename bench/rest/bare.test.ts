import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { openBare } from './bare';
import { captureStatements } from './capture';
import { createJobs, operations } from './jobs';
import { addMerchants } from './other-merchants';

const database = sharedDatabase();

test('the bare server does each operation with the statements that the service sends', async () => {
  const one = { merchants: 1, customers: 20, vouchers: 1 };
  const { service, bare } = await addMerchants(database.url, ['service', 'bare'], one);
  const statements = await captureStatements(database.url, service);
  const { carry, close } = openBare({ url: database.url, statements, pool: 1 });
  const jobs = createJobs(bare);
  for (const operation of operations) {
    const job = jobs.next(operation);
    expect(await carry(operation, job.shop.key, job.input as never), operation).toBeTruthy();
    jobs.done(job);
  }
  await close();
  const written = await database.owner`
    select type, count(*)::int, count(*) filter (where status = 'voided')::int as voided from transactions
    where transaction_id like ${`${bare.prefix}-%`} group by type order by type`;
  expect(written.map(({ type, count, voided }) => [type, count, voided])).toEqual([
    ['topUp', 1, 0],
    ['redeemStoredValue', 1, 1],
    ['redeemVoucher', 1, 0],
    ['sale', 1, 0],
  ]);
});
