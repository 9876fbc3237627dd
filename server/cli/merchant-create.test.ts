import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import { authenticate } from '../domain/merchants/authenticate';
import { findStaff, signIn } from '../domain/staff/sign-in';
import { testServices } from '../testing/factory';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
});
afterAll(() => database.drop());

const options = ['--name', 'Kopi & Kaya', '--currency', 'SGD', '--country', 'SG', '--time-zone', 'Asia/Singapore'];
const rest = [
  '--locale',
  'en-SG',
  '--store',
  'ORCHARD=Orchard Road',
  '--owner-name',
  'Adeline',
  '--owner-email',
  'Adeline@example.com',
];

const create = (args: string[]) =>
  promisify(execFile)('node', ['--import', 'tsx', 'server/cli/merchant-create.ts', ...args], {
    env: { ...process.env, DATABASE_URL: database.url, DATABASE_OWNER_URL: '', APP_ENV: 'sandbox' },
  });

test('makes a merchant whose keys and owner work', async () => {
  const { stdout } = await create([...options, ...rest]);
  const services = testServices(database.db);
  const [merchantKey, storeKey] = stdout.match(/sk_sandbox_\w+/g) ?? [];
  const wide = await authenticate(services, merchantKey);
  expect(wide).toMatchObject({
    merchant: { name: 'Kopi & Kaya', currency: 'SGD', pinRequired: false },
    boundStore: null,
  });
  expect((await authenticate(services, storeKey)).boundStore?.storeCode).toBe('ORCHARD');

  const password = /password (\S+)/.exec(stdout)?.[1] ?? '';
  const person = await signIn(services, { email: 'adeline@example.com', password, client: '127.0.0.1' });
  expect(person && (await findStaff(services, person))).toMatchObject({
    name: 'Adeline',
    memberships: [{ merchantId: wide.merchant.id, role: 'owner' }],
  });
});

test('says all that is missing or wrong, and writes nothing', async () => {
  const before = await database.owner`select count(*)::int as merchants from merchants`;
  const failure = await create(['--name', 'X', '--currency', 'ZZZ', ...rest]).catch((error) => error);
  expect(failure.code).toBe(1);
  for (const line of ['--currency is no ISO 4217 currency', '--country is missing', '--time-zone is missing']) {
    expect(failure.stderr).toContain(line);
  }
  expect(await database.owner`select count(*)::int as merchants from merchants`).toEqual(before);
});
