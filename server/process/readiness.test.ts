import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql as statement } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { appRole, connectDatabase, isUnavailable, openSql, tryDisk, withMerchant } from '@/db/driver';
import { type EmbeddedServer, startEmbedded } from '@/db/operations/embedded';
import { migrate } from '@/db/operations/migrate';
import { merchants } from '@/db/schema';
import type { StartupError } from '@/db/startup-error';
import { cloneDatabase } from '@/db/testing/clone';
import { createKey, createMerchant } from '../testing/factory';
import { keptLog } from '../testing/kept-log';
import { checkDatabase, readiness, warnOfNeighbours } from './readiness';

/** A PostgreSQL for this file alone, because the shared one always holds other databases. */
const folder = join(tmpdir(), `readiness-${randomUUID()}`);
let server: EmbeddedServer;
beforeAll(async () => {
  server = await startEmbedded({ dataDir: folder, unsafe: true });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const asAdmin = async (database: string, ...statements: string[]) => {
  const sql = openSql(server.url(database));
  for (const statement of statements) await sql.unsafe(statement);
  await sql.end();
};

test('a database is current only with the newest migration of this release, however many others it has', async () => {
  const { db, owner, drop } = await cloneDatabase(inject('adminUrl'));
  expect(await readiness(db)).toEqual({ ready: true, database: 'ok', migrations: 'current' });
  await owner`update drizzle.__drizzle_migrations set hash = 'of an earlier chain ' || id`;
  await owner`insert into drizzle.__drizzle_migrations (hash, created_at) select 'another ' || n, n from generate_series(1, 60) n`;
  expect(await readiness(db)).toEqual({ ready: false, database: 'ok', migrations: 'behind' });
  await expect(checkDatabase({ db, environment: 'sandbox' })).rejects.toThrow('The database is not migrated');
  await drop();
});

test('a database of working live keys is not for a sandbox, and the other way round, until they are ended', async () => {
  const { db, owner, drop } = await cloneDatabase(inject('adminUrl'));
  const { id } = await createMerchant(owner);
  await owner`delete from api_keys`;
  const refusal = (environment: 'sandbox' | 'live') =>
    checkDatabase({ db, environment }).then(
      () => null,
      ({ message }: StartupError) => message,
    );
  expect([await refusal('sandbox'), await refusal('live')]).toEqual([null, null]);
  for (const [own, other, given] of [
    ['sandbox', 'live', 'production'],
    ['live', 'sandbox', 'sandbox'],
  ] as const) {
    await createKey(owner, id, null, { environment: own });
    expect(await refusal(own)).toBeNull();
    const told = (await refusal(other)) ?? '';
    expect(told).toContain(`APP_ENV is ${given}, but this database has working ${own} API keys. `);
    expect(told).not.toContain('\n');
    const [, ending = ''] = /: (update api_keys .*)\.$/.exec(told) ?? [];
    await owner.unsafe(ending);
    expect(await refusal(other)).toBeNull();
  }
  await createKey(owner, id, null, { environment: 'live' });
  await owner`update api_keys set expires_at = now() - interval '1 second' where revoked_at is null`;
  expect(await refusal('sandbox')).toBeNull();
  await drop();
});

test('a release runs on the schema of a later one, until that can do without it', async () => {
  const { db, owner, url, drop } = await cloneDatabase(inject('adminUrl'));
  const [newest] = await owner`select max(created_at) as at from drizzle.__drizzle_migrations`;
  const at = Number(newest?.at);
  const add = (later: number, compatibleSince: number | null) => owner`
    insert into drizzle.__drizzle_migrations (hash, created_at, compatible_since)
    values (${`later ${later}`}, ${at + later}, ${compatibleSince})`;
  const state = async () => {
    const { ready, migrations } = await readiness(db);
    return [ready, migrations];
  };
  // An expand migration, and a contract migration that requires no more than this release has.
  await add(1, 0);
  await add(2, at);
  expect(await state()).toEqual([true, 'newer']);
  await checkDatabase({ db, environment: 'sandbox' });
  expect(await migrate(url)).toBe('newer');

  await add(3, at + 1);
  expect(await state()).toEqual([false, 'incompatible']);
  await expect(checkDatabase({ db, environment: 'sandbox' })).rejects.toThrow(
    'schema of a later release, on which this one cannot run',
  );
  await expect(migrate(url)).rejects.toThrow('schema of a later release: nothing is changed');

  // A migration that does not say which releases it excludes.
  await owner`update drizzle.__drizzle_migrations set compatible_since = null where hash = 'later 3'`;
  expect(await state()).toEqual([false, 'incompatible']);
  await drop();
});

test('a database that only reads is not ready, and refuses a transaction as unavailable', async () => {
  const { url, owner, drop } = await cloneDatabase(inject('adminUrl'));
  const { id } = await createMerchant(owner);
  const name = new URL(url).pathname.slice(1);
  await owner.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  const db = connectDatabase(url, { max: 2, role: appRole });
  expect(await readiness(db)).toEqual({ ready: false, database: 'read_only', migrations: 'current' });
  const error = await withMerchant(db, id, (tx) => tx.db.update(merchants).set({ name: 'Another' })).catch(
    (one) => one,
  );
  expect([error.code, isUnavailable(error)]).toEqual(['25006', true]);
  await owner.unsafe(`alter database ${name} reset default_transaction_read_only`);
  await db.close();
  await drop();
});

test('a shortage that anybody may ask about costs the disk one try a second', async () => {
  const { db, drop } = await cloneDatabase(inject('adminUrl'));
  let tries = 0;
  const reserve = () => {
    tries += 1;
    return Promise.reject(Object.assign(new Error('no space left on device'), { code: '53100' }));
  };
  const probed = { ...db, reserve };
  db.lacks.last = 'disk_full';
  for (let n = 0; n < 5; n++) expect(await readiness(probed)).toMatchObject({ ready: false, database: 'disk_full' });
  expect(tries).toBe(1);
  db.lacks.triedAt -= 1_000;
  expect(await readiness(db)).toMatchObject({ ready: true, database: 'ok' });
  await drop();
});

test('a limit of temporary files, over which the disk can’t be tried, is no shortage', async () => {
  const { url, owner, drop } = await cloneDatabase(inject('adminUrl'));
  await owner.unsafe(`alter database ${new URL(url).pathname.slice(1)} set temp_file_limit = '64kB'`);
  const db = connectDatabase(url, { max: 2, role: appRole });
  db.lacks.last = 'disk_full';
  await expect(tryDisk(db)).rejects.toMatchObject({ code: '53400' });
  expect(await readiness(db)).toEqual({ ready: true, database: 'ok', migrations: 'current' });
  await db.close();
  await drop();
});

test('a deployment is told how to close its database to others of the cluster, until it is closed', async () => {
  await asAdmin('postgres', `create role ${appRole}`, 'create database first', 'create database second');
  const logins = ['first', 'second'].map((name) => `create role ${name} login password '${name}' in role ${appRole}`);
  await asAdmin('postgres', ...logins);
  const address = new URL(server.url('first'));
  Object.assign(address, { username: 'first', password: 'first' });
  const db = connectDatabase(address.href, { max: 2 });
  const { log, lines } = keptLog();
  const told = async (environment: 'live' | 'sandbox' = 'live') => {
    lines.length = 0;
    await warnOfNeighbours({ db, environment }, log);
    return lines.join('');
  };
  const anything = `create table anything (); grant select on anything to ${appRole}`;
  await asAdmin('first', anything);
  expect(await told()).toBe('');
  await asAdmin('second', anything);
  expect(await told('sandbox')).toBe('');
  const [, closing = ''] = /(revoke connect on database first from public; grant [^"]+)"/.exec(await told()) ?? [];
  await asAdmin('postgres', closing);
  expect(await told()).toBe('');
  await db.close();

  const neighbour = new URL(server.url('first'));
  Object.assign(neighbour, { username: 'second', password: 'second' });
  const sql = openSql(neighbour.href);
  await expect(sql`select`).rejects.toThrow('permission denied for database');
  await sql.end();
  const own = connectDatabase(address.href, { max: 1 });
  expect(await own.pool.run(statement`select from anything`)).toEqual({ count: 0 });
  await own.close();
});
