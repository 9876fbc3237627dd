/** What seeds write is the demo merchant's own, whatever else is in the database. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type DemoMerchant, demoMerchants } from '@/db/seed/demo-data';
import { seedCustomers } from '@/db/seed/seed-customers';
import { seedMerchant } from '@/db/seed/seed-demo';
import { seedId } from '@/db/seed/seed-id';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant } from './factory';
import { createPerson } from './people';
import { rowsOf } from './tenancy/rows';

const database = sharedDatabase();

function demo(): DemoMerchant {
  const word = randomBytes(4).toString('hex');
  const [first] = demoMerchants;
  const renamed = <P extends { email: string }>(one: P) => ({ ...one, email: `${word}.${one.email}` });
  return {
    ...(first as DemoMerchant),
    id: seedId('merchant', word),
    owner: renamed(first.owner),
    staff: first.staff.map(renamed),
  };
}

const secretsOf = (storeCode: string) => ({
  passwordHashes: new Map<string, string>(),
  keys: [{ storeCode, hash: randomBytes(32), lastFour: '0000' }],
});
const rowsIn = async (merchantId: string) =>
  Object.values(await rowsOf(database.owner, merchantId)).reduce((sum, rows) => sum + rows.length, 0);

test('a seed beside another merchant changes nothing of it', async () => {
  const other = await createMerchant(database.owner);
  const before = await rowsOf(database.owner, other.id);
  const merchant = demo();
  await seedMerchant(database.owner, merchant, secretsOf('ORCHARD'));
  const names = { givenNames: ['Mei'], lastNames: ['Tan'], mailDomain: `${merchant.id}.example.com` };
  const phones = { phonePrefix: '+658', phoneDigits: 7, phoneOffset: 1 };
  const crowd = { merchantId: merchant.id, from: 0, to: 20, mostPrincipal: 5_000, openedAt: new Date() };
  await seedCustomers(database.owner, { ...crowd, ...names, ...phones });
  expect(await rowsIn(merchant.id)).toBeGreaterThan(100);
  expect(await rowsOf(database.owner, other.id)).toEqual(before);
});

test('a store of another merchant, or a person who has an account, stops the seed before it writes', async () => {
  const other = await createMerchant(database.owner);
  const elsewhere = 'ELSEWHERE';
  await database.owner`update stores set store_code = ${elsewhere} where id = ${other.stores[1].id}`;
  const merchant = demo();
  await expect(seedMerchant(database.owner, merchant, secretsOf(elsewhere))).rejects.toThrow(/foreign key/);
  const [offer] = merchant.packages;
  const offered = { ...merchant, packages: [{ ...offer, storeCodes: [elsewhere] }] } as DemoMerchant;
  await expect(seedMerchant(database.owner, offered, secretsOf('ORCHARD'))).rejects.toThrow(/foreign key/);
  const { userId } = await createPerson(database.owner);
  const [person] = await database.owner`select email, password_hash from users where id = ${userId}`;
  const claimed = { ...merchant, owner: { ...merchant.owner, email: person?.email } };
  await expect(seedMerchant(database.owner, claimed, secretsOf('ORCHARD'))).rejects.toThrow(/users_email/);
  expect(await database.owner`select email, password_hash from users where id = ${userId}`).toEqual([person]);
  expect(await rowsIn(merchant.id)).toBe(0);
});
