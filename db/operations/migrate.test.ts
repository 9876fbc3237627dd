import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { appRole, openSql, type Sql } from '../driver';
import { commands } from '../testing/commands';

/** A second deployment in a cluster, with its own database and owner, created as the operator's guide describes. */
const name = `second_${randomBytes(6).toString('hex')}`;
const address = new URL(inject('adminUrl'));
Object.assign(address, { pathname: `/${name}`, username: name, password: name });
let admin: Sql;

beforeAll(async () => {
  admin = openSql(inject('adminUrl'));
  await admin.unsafe(`create role ${name} login password '${name}' createrole`);
  await admin.unsafe(`create database ${name} owner ${name}`);
});
afterAll(async () => {
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.unsafe(`drop role if exists ${name}`);
  await admin.end();
});

const migrateIt = async (parameters = '') =>
  promisify(execFile)('node', [await commands(), 'migrate'], {
    env: { ...process.env, DATABASE_OWNER_URL: `${address.href}${parameters}` },
  });

test.each([
  ['require', 'may have sslmode=verify-full or sslmode=disable '],
  // The test server has no TLS.
  ['verify-full', 'does not work: the server does not offer TLS: .*sslmode=disable'],
])('with sslmode=%s, the owner is told in one line why there is no TLS', async (mode, why) => {
  const refused = await migrateIt(`?sslmode=${mode}`).catch((error) => error);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(`^DATABASE_OWNER_URL ${why}[^\\n]*\\n$`)]);
});

test('an owner without the other deployment’s role is told what to grant, and succeeds once it is granted', async () => {
  const current = `The database ${name} at ${address.host} has the current schema.\n`;
  const grant = `grant ${appRole} to ${name} with admin option`;
  const refused = await migrateIt().catch((error) => error);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(new RegExp(`^[^\\n]+: ${grant}\\n$`))]);
  await admin.unsafe(grant);
  expect((await migrateIt()).stdout).toMatch(new RegExp(`^Applying 0000_tables\\.\n[^]+\n${current}$`));
  // Also succeeds without the admin option.
  await admin.unsafe(`revoke admin option for ${appRole} from ${name} cascade`);
  expect((await migrateIt()).stdout).toBe(current);
  const application = openSql(address.href, { connection: { role: appRole } });
  expect([...(await application`select current_user::text as role`)]).toEqual([{ role: appRole }]);
  await application.end();
});

test('a database with a migration that no release has is rejected in one line and left unchanged', async () => {
  const owner = openSql(address.href);
  await owner`update drizzle.__drizzle_migrations set hash = 'another'
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
  const refused = await migrateIt().catch((error) => error);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^This database was created by [^\n]+\n$/)]);
  await owner.end();
});
