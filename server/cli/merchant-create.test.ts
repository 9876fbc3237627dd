import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { appRole } from '@/db/driver';
import { cloneDatabase } from '@/db/testing/clone';
import { commands } from '@/db/testing/commands';
import { ownDatabase } from '@/db/testing/database';
import { authenticateKey } from '../domain/access/authenticate';
import { findStaff } from '../domain/access/sessions';
import { signIn } from '../domain/access/sign-in';
import { testServices } from '../testing/factory';
import { newBrowser } from '../testing/people';

const database = ownDatabase();

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

const create = async (args: string[], own: Record<string, string> = {}) =>
  promisify(execFile)('node', [await commands(), 'merchant', 'create', ...args], {
    env: { ...process.env, DATABASE_URL: database.url, DATABASE_OWNER_URL: '', APP_ENV: 'sandbox', ...own },
  });
const countMerchants = () => database.owner`select count(*)::int as merchants from merchants`;
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => ({ code: 0, stderr: '' }),
    (error) => error,
  );

test('creates a merchant whose keys and owner work', async () => {
  const { stdout } = await create([...options, ...rest]);
  const services = testServices(database.db);
  const [merchantKey, storeKey] = stdout.match(/sk_sandbox_\w+/g) ?? [];
  const wide = await authenticateKey(services, merchantKey);
  expect(wide).toMatchObject({
    merchant: {
      name: 'Kopi & Kaya',
      currency: 'SGD',
      pinRequired: false,
      earningSaleLimit: 500_000,
      keyDailyPoints: 100_000,
    },
    boundStore: null,
  });
  expect((await authenticateKey(services, storeKey)).boundStore?.storeCode).toBe('ORCHARD');

  const password = /password (\S+)/.exec(stdout)?.[1] ?? '';
  const person = await signIn(services, newBrowser(), { email: 'adeline@example.com', password });
  expect(person && (await findStaff(services, person.token))).toMatchObject({
    name: 'Adeline',
    memberships: [{ merchantId: wide.merchant.id, role: 'owner' }],
  });
});

test('names the cell of the database in its keys, and refuses that of another one', async () => {
  const args = (name: string) => ['--name', name, ...options.slice(2), ...rest.slice(0, -1), `${name}@example.com`];
  const keysOf = async (name: string, own = {}) =>
    (await create(args(name), own)).stdout.match(/sk_sandbox_[a-z0-9]+_/g);
  expect(await keysOf('first', { CELL: 'sg1' })).toEqual(['sk_sandbox_sg1_', 'sk_sandbox_sg1_']);
  await database.owner`insert into this_cell (name, secret_ids) values ('sg2', '{}')`;
  try {
    expect(await keysOf('second')).toEqual(['sk_sandbox_sg2_', 'sk_sandbox_sg2_']);
    const before = await countMerchants();
    const { stderr } = await failureOf(create(args('third'), { CELL: 'sg1' }));
    expect(stderr).toContain('CELL is sg1, and this database is of the cell sg2.');
    expect(await countMerchants()).toEqual(before);
  } finally {
    await database.owner`delete from this_cell`;
  }
});

test('reports everything that is missing or wrong, and writes nothing', async () => {
  const before = await countMerchants();
  const failure = await failureOf(create(['--name', 'X', '--currency', 'ZZZ', ...rest, '--locale', 'en_SG']));
  expect(failure.code).toBe(1);
  for (const line of [
    '--currency is not an ISO 4217 currency',
    '--country is missing',
    '--time-zone is missing',
    '--locale is not a language and region, like en-SG',
  ]) {
    expect(failure.stderr).toContain(line);
  }
  const twice = await failureOf(create([...options, ...rest, '--store', 'ORCHARD=Orchard Gateway']));
  expect(twice.stderr).toMatch(/^ {2}--store has a code twice\n\nOptions: --name/);
  const nowhere = await failureOf(create([...options, ...rest, '--country', 'ZZ']));
  expect(nowhere.stderr).toMatch(/^ {2}--country has no phone numbers of its own\n\nOptions: --name/);
  expect(await countMerchants()).toEqual(before);
});

test('reports an address that does not sign in as the owner', async () => {
  const login = `till_${randomBytes(6).toString('hex')}`;
  await database.owner.unsafe(`create role ${login} login password '${login}' in role ${appRole}`);
  const { href } = Object.assign(new URL(database.url), { username: login, password: login });
  const { code, stderr } = await failureOf(create([...options, ...rest], { DATABASE_URL: href }));
  await database.owner.unsafe(`drop role ${login}`);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^This sign-in sees no rows [^\n]+ DATABASE_OWNER_URL [^\n]+\n$/),
  ]);
});

test('writes nothing until the deployment of the database is named', async () => {
  const before = await countMerchants();
  for (const [APP_ENV, sentence] of [
    ['', 'APP_ENV is missing: sandbox or production, whichever the database is of.\n'],
    ['live', 'APP_ENV must be sandbox or production.\n'],
  ] as const) {
    const { code, stderr } = await failureOf(create([...options, ...rest], { APP_ENV }));
    expect([code, stderr]).toEqual([1, sentence]);
  }
  expect(await countMerchants()).toEqual(before);
});

test('adds no sandbox to a database of live keys', async () => {
  const other = await cloneDatabase(inject('adminUrl'));
  await create([...options, ...rest], { DATABASE_URL: other.url, APP_ENV: 'production' });
  const { code, stderr } = await failureOf(create([...options, ...rest], { DATABASE_URL: other.url }));
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^APP_ENV is sandbox, [^\n]+ working live API keys[^\n]+\n$/),
  ]);
  expect(await other.owner`select from merchants`).toHaveLength(1);
  await other.drop();
});

test('rejects a time zone that PostgreSQL does not know', async () => {
  const other = await cloneDatabase(inject('adminUrl'));
  await other.owner`
    create or replace function local_date(zone text, at timestamptz) returns date language sql return null::date`;
  const { code, stderr } = await failureOf(create([...options, ...rest], { DATABASE_URL: other.url }));
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^ {2}--time-zone is not known to this PostgreSQL\n\nOptions: --name/),
  ]);
  expect(await other.owner`select from merchants`).toEqual([]);
  await other.drop();
});
