import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commands } from '@/db/testing/commands';
import { ownDatabase } from '@/db/testing/database';

const secret = 'thirty-two characters, for tests only';
const settings = {
  APP_ENV: 'sandbox',
  AUTH_SECRET: secret,
  DATA_SECRET: secret,
  DATA_SECRET_ALSO_ACCEPTED: `${secret}!`,
};

/** Runs a command. Returns its exit code, output and errors. */
const call = async (command: string, own: Record<string, string> = {}, program = 'loyalty') => {
  const file = program === 'loyalty' ? [await commands()] : ['--import', 'tsx', `server/cli/${program}.ts`];
  return promisify(execFile)('node', [...file, ...command.split(' ').filter(Boolean)], {
    env: { ...process.env, ...settings, DATABASE_URL: '', DATABASE_OWNER_URL: '', ...own },
  }).then(
    ({ stdout, stderr }) => [0, stdout, stderr],
    ({ code, stdout, stderr }) => [code, stdout, stderr],
  );
};

const merchant =
  'merchant create --name X --currency SGD --country SG --time-zone Asia/Singapore --locale en-SG --store A=A --owner-name X --owner-email x@example.com';

const database = ownDatabase();

test('the commands are listed, each has its help, and the release has its version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [code, overview] = await call('--help');
  expect(code).toBe(0);
  const names = [...String(overview).matchAll(/^ {2}(\S+(?: \S+)?) {2,}/gm)].map(([, name]) => name as string);
  expect(names).toContain('merchant create');
  const helps = await Promise.all(names.map((name) => call(`${name} --help`)));
  for (const [index, name] of names.entries()) {
    expect(helps[index], name).toEqual([0, expect.stringMatching(`^loyalty ${name}`), '']);
  }
  expect(await call('--version')).toEqual([0, `${version}\n`, '']);
});

test('a group lists its commands, and no others', async () => {
  for (const asked of ['merchant --help', 'merchant']) {
    const [code, listed] = await call(asked);
    const names = [...String(listed).matchAll(/^ {2}(\S+(?: \S+)?) {2,}/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['merchant create', 'merchant move']));
    expect([code, names.filter((name) => !name?.startsWith('merchant '))]).toEqual([0, []]);
  }
  const unknown = expect.stringMatching(/^There is no command merchant creat\.\n(.*\n)+ {2}merchant create /);
  expect(await call('merchant creat')).toEqual([1, '', unknown]);
});

test('an unknown command or option is answered with the known ones', async () => {
  expect(await call('migrat')).toEqual([
    1,
    '',
    expect.stringMatching(/^There is no command migrat\.\n(.*\n)+ {2}migrate /),
  ]);
  expect(await call('migrate --force')).toEqual([1, '', "Unknown option '--force'. It takes no options.\n"]);
  expect(await call('--help', {}, 'seed')).toEqual([1, '', "Unknown option '--help'. The options are --customers.\n"]);
});

describe('no command but the demo starts a database of its own', () => {
  const missing = /^DATABASE_OWNER_URL is missing: [^\n]+\n$/;
  test.each(['migrate', 'ledger-verify', merchant])('%s', async (command) => {
    expect(await call(command)).toEqual([1, '', expect.stringMatching(missing)]);
  });
  test('seed', async () => {
    expect(await call('', {}, 'seed')).toEqual([1, '', expect.stringMatching(missing)]);
  });
});

describe('a database with another schema than that of the release is refused in one line', () => {
  const commands = ['ledger-verify', 'secrets-reseal', merchant];
  const refusals = () =>
    Promise.all(commands.map(async (command) => (await call(command, { DATABASE_URL: database.url }))[2]));

  test('not migrated', async () => {
    const [newest] = await database.owner`
      update drizzle.__drizzle_migrations set hash = 'x' || hash where created_at =
        (select max(created_at) from drizzle.__drizzle_migrations) returning hash`;
    expect(new Set(await refusals())).toEqual(
      new Set(['The database is not migrated: run the command migrate of this release.\n']),
    );
    await database.owner`update drizzle.__drizzle_migrations set hash = substr(hash, 2) where hash = ${newest?.hash}`;
  });

  test('of a later release, on which this one cannot run', async () => {
    await database.owner`
      insert into drizzle.__drizzle_migrations (hash, created_at)
      select 'later', max(created_at) + 1 from drizzle.__drizzle_migrations`;
    for (const stderr of await refusals())
      expect(stderr).toMatch(/^The database has the schema of a later release, [^\n]+\n$/);
    expect(await call('migrate', { DATABASE_URL: database.url })).toEqual([
      1,
      '',
      'The database has the schema of a later release: nothing is changed.\n',
    ]);
    await database.owner`update drizzle.__drizzle_migrations set compatible_since = 0 where hash = 'later'`;
    expect(await call('ledger-verify', { DATABASE_URL: database.url })).toEqual([
      0,
      expect.stringContaining('is correct'),
      '',
    ]);
    expect(await call('migrate', { DATABASE_URL: database.url })).toEqual([
      0,
      expect.stringMatching(/has the schema of a later release, on which this one can run\.\n$/),
      '',
    ]);
  });
});
