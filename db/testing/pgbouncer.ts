/** PgBouncer in transaction mode, in front of a test's server. */

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSql } from '../driver';
import { osUser } from '../operations/embedded';
import { freePort } from '../operations/ports';

/** Fewer than the service's connections, so that several share one. */
const serverConnections = 5;
const startMs = 10_000;

export interface Pooler {
  /** The address without a database: append the name as the path. */
  url: string;
  version: string;
  /** The number of transactions so far. */
  transactions(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in front of all databases of the server at `adminUrl`. It signs in as a member of the application's
 * role.
 */
export async function startPgbouncer(adminUrl: string, appRole: string): Promise<Pooler> {
  const version = pgbouncerVersion();
  const { hostname, port: serverPort } = new URL(adminUrl);
  const login = await createLogin(adminUrl, appRole);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const config = join(folder, 'pgbouncer.ini');
  const keepsPrepared = keepsPreparedStatements(version);
  const server = `host=${hostname} port=${serverPort} user=${login.name} password=${login.password}`;
  const lines = [
    ...['[databases]', `* = ${server}`, '[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`],
    ...[
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${serverConnections}`,
      'max_client_conn = 1000',
    ],
    ...['ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,plan_cache_mode'],
    ...['unix_socket_dir =', ...(keepsPrepared ? ['max_prepared_statements = 200'] : [])],
  ];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  const user = osUser();
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, config]) chownSync(path, user.uid, user.gid);
  chmodSync(folder, 0o700);
  let log = '';
  const child = spawn('pgbouncer', [config], { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      log = `${log}${text}`.slice(-2_000);
    });
  }
  const ended = new Promise((done) => child.once('exit', done));
  for (const deadline = performance.now() + startMs; !(await answers(port)); await wait(20)) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`PgBouncer did not start: ${log}`);
  }
  return {
    // Older versions of PgBouncer don't support prepared statements: each statement is planned again.
    url: `postgres://anybody@127.0.0.1:${port}/${keepsPrepared ? '' : '?prepare=false'}`,
    version,
    transactions: () => countTransactions(port),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function pgbouncerVersion(): string {
  const [, version = ''] = /PgBouncer (\S+)/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' })) ?? [];
  return version;
}

function keepsPreparedStatements(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || minor >= 21;
}

/** Creates the role with the settings that a pooler drops when a connection starts. */
async function createLogin(adminUrl: string, appRole: string) {
  const login = { name: 'loyalty_pooled', password: 'of-a-test' };
  const admin = openSql(adminUrl);
  await admin.unsafe(`
    create role ${login.name} login password '${login.password}' in role ${appRole};
    alter role ${login.name} set statement_timeout = '3500ms';
    alter role ${login.name} set idle_in_transaction_session_timeout = '10s';
    alter role ${login.name} set plan_cache_mode = force_generic_plan`);
  await admin.end();
  return login;
}

/** Reads the pooler's own admin database. */
async function countTransactions(port: number): Promise<number> {
  const sql = openSql(`postgres://anybody@127.0.0.1:${port}/pgbouncer`, { fetch_types: false });
  const rows = await sql.unsafe('show stats').simple();
  await sql.end();
  const ofOthers = rows.filter(({ database }) => database !== 'pgbouncer');
  return ofOthers.reduce((sum, { total_xact_count }) => sum + Number(total_xact_count), 0);
}

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
