/** What an operator reads if TLS keeps a command from the database. */

import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, isUnavailable, openSql } from '@/db/driver';
import { type EmbeddedServer, osUser, startEmbedded } from '@/db/operations/embedded';
import { commands } from '@/db/testing/commands';
import { checkDatabase } from './readiness';

const folder = join(tmpdir(), `tls-${randomUUID()}`);
const authority = join(folder, 'ca.pem');
let server: EmbeddedServer;

/** Runs openssl in the folder of the certificates. */
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

/** Gives the server a certificate for `name`. A negative number of days makes it expired. */
async function useCertificate(name: string, days = 1): Promise<void> {
  openssl(
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'key.pem',
    '-out',
    'request.pem',
    '-subj',
    '/CN=db',
  );
  writeFileSync(join(folder, 'names'), `subjectAltName=${name}\n`);
  const signed = ['x509', '-req', '-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-out', 'certificate.pem'];
  openssl(...signed, '-extfile', 'names', '-days', String(days));
  const { uid = -1, gid = -1 } = osUser();
  for (const [file, target] of [
    ['key.pem', 'server.key'],
    ['certificate.pem', 'server.crt'],
  ] as const) {
    const path = join(folder, 'data', 'cluster', target);
    writeFileSync(path, readFileSync(join(folder, file)), { mode: 0o600 });
    chownSync(path, uid, gid);
  }
  // A restart, because a reload is not noticed at once.
  await server.stop();
  await server.restart();
}

beforeAll(async () => {
  mkdirSync(folder);
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=ours');
  server = await startEmbedded({ dataDir: join(folder, 'data'), unsafe: true });
  const admin = openSql(server.url());
  await admin`create database loyalty`;
  await admin`alter system set ssl = on`;
  await admin.end();
  writeFileSync(join(folder, 'data', 'cluster', 'pg_hba.conf'), 'hostssl all all all scram-sha-256\n');
  await useCertificate('DNS:localhost');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const address = (parameters: string) => `${server.url('loyalty').replace('127.0.0.1', 'localhost')}${parameters}`;

/** Runs `migrate`. Returns its exit code and what it prints. */
const migrateWith = async (parameters: string, own: Record<string, string> = {}) =>
  promisify(execFile)('node', [await commands(), 'migrate'], {
    env: { ...process.env, DATABASE_OWNER_URL: address(parameters), ...own },
  }).then(
    ({ stdout }) => [0, stdout],
    ({ code, stderr }) => [code, stderr],
  );
const line = (text: string) => expect.stringMatching(`^DATABASE_OWNER_URL does not work: ${text}[^\\n]*\\.\\n$`);
const known = { NODE_EXTRA_CA_CERTS: authority };

test('where the server requires TLS, where its authority is unknown, and where all is well', async () => {
  const [plain, unknown, well] = await Promise.all([
    migrateWith(''),
    migrateWith('?sslmode=verify-full'),
    migrateWith('?sslmode=verify-full', known),
  ]);
  expect(plain).toEqual([
    1,
    line('the server refuses connections without TLS: end the address with \\?sslmode=verify-full'),
  ]);
  expect(unknown).toEqual([1, line('Node does not know the authority .* NODE_EXTRA_CA_CERTS')]);
  expect(well).toEqual([0, expect.stringContaining('has the current schema')]);
});

test('the service says the same at its start, and to a till 503', async () => {
  const db = connectDatabase(address('?sslmode=verify-full'), { max: 1 });
  await expect(checkDatabase({ db, environment: 'sandbox' })).rejects.toThrow(
    /^DATABASE_URL does not work: Node does not know the authority [^\n]+$/,
  );
  expect(isUnavailable(await db.pool.run(sql`select`).catch((error) => error))).toBe(true);
  await db.close();
});

test('where the certificate is for another host, or has expired', async () => {
  await useCertificate('DNS:db.example.com,DNS:db2.example.com');
  expect(await migrateWith('?sslmode=verify-full', known)).toEqual([
    1,
    line("the server's certificate is for db.example.com, db2.example.com: name the host so in the address"),
  ]);
  await useCertificate('DNS:localhost', -1);
  expect(await migrateWith('?sslmode=verify-full', known)).toEqual([1, line("the server's certificate has expired")]);
});
