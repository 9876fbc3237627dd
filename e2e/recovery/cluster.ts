/** PostgreSQL servers of one's own, on Debian's programs: to be cloned, lost, promoted and restored. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { osUser } from '@/db/operations/embedded';
import { freePort } from '@/db/operations/ports';
import { eventually, killWithChildren } from '../chaos/victims';
import { postgresFolder } from './binaries';

const run = promisify(execFile);

export interface Site {
  /** A folder that the server's user may write to. */
  folder: string;
  password: string;
  makeFolder(name: string): string;
  /** Runs one of PostgreSQL's programs as the server's user. */
  tool(name: string, args: string[]): Promise<string>;
  /** What to close at the end. Servers stop first: a server with waiting clients would not stop. */
  closing: (() => Promise<unknown>)[];
}

export interface Cluster {
  name: string;
  data: string;
  host: string;
  url(database?: string): string;
  /** Adds lines to its configuration; they count from the next start on. */
  configure(settings: Record<string, string>): void;
  start(): Promise<void>;
  /** Ends every process of it at once, as a power cut does. */
  kill(): void;
  stop(): Promise<void>;
}

/** A place for the servers of one drill. */
export function openSite(): Site {
  const bin = postgresFolder();
  const user = osUser();
  const makeFolder = (path: string) => {
    mkdirSync(path, { mode: 0o700 });
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
    return path;
  };
  const folder = makeFolder(join(tmpdir(), `loyalty-recovery-${randomUUID()}`));
  return {
    folder,
    password: randomBytes(18).toString('base64url'),
    makeFolder: (name) => makeFolder(join(folder, name)),
    closing: [],
    tool: async (name, args) => (await run(join(bin, name), args, { ...user, maxBuffer: 1 << 26 })).stdout,
  };
}

/** Makes a new, empty cluster. */
export async function createCluster(site: Site, name: string): Promise<Cluster> {
  const cluster = await adoptCluster(site, name);
  const passwordFile = join(site.folder, 'password');
  writeFileSync(passwordFile, site.password, { mode: 0o644 });
  const access = ['--auth=scram-sha-256', '--username=postgres', `--pwfile=${passwordFile}`];
  // pg_rewind needs the checksums (or wal_log_hints).
  await site.tool('initdb', ['-D', cluster.data, '-k', '--encoding=UTF8', '--locale=C.UTF-8', ...access]);
  cluster.configure({});
  return cluster;
}

/** A cluster whose folder is there already, or will be: copied from a back-up or another server. */
export async function adoptCluster(site: Site, name: string): Promise<Cluster> {
  const port = await freePort();
  const data = join(site.folder, name);
  const log = join(site.folder, `${name}.log`);
  const own = {
    cluster_name: name,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
  };
  const cluster: Cluster = {
    name,
    data,
    host: `127.0.0.1:${port}`,
    url: (database = 'loyalty') => `postgres://postgres:${site.password}@127.0.0.1:${port}/${database}`,
    configure: (settings) => {
      const lines = Object.entries({ ...own, ...settings }).map(([key, value]) => `${key} = '${value}'\n`);
      appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
    },
    start: () => start(data, log),
    kill: () => {
      killWithChildren(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]));
      // The dead process may not have been collected by its parent yet: its number would look taken.
      rmSync(join(data, 'postmaster.pid'));
    },
    stop: async () => {
      await site.tool('pg_ctl', ['stop', '-D', data, '-m', 'immediate', '-w', '-t', '20']).catch(() => {});
    },
  };
  site.closing.push(cluster.stop);
  return cluster;
}

async function start(data: string, log: string): Promise<void> {
  const args = ['start', '-D', data, '-l', log, '-w', '-t', '60'];
  // Not `tool`: the server inherits pg_ctl's pipes and would keep them open.
  const code = await new Promise<number | null>((done, fail) => {
    const child = spawn(join(postgresFolder(), 'pg_ctl'), args, { ...osUser(), stdio: 'ignore', detached: true });
    child.on('error', fail).on('exit', done);
  });
  if (code !== 0) throw new Error(`PostgreSQL did not start in ${data}: ${readFileSync(log, 'utf8').slice(-1_000)}`);
}

/** Asks a server once, as its superuser. */
export async function queryCluster(cluster: Cluster, statement: string): Promise<postgres.Row[]> {
  const sql = postgres(cluster.url('postgres'), { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Resolves when the server answers the statement with one `true`. */
export function waitUntilHolds(cluster: Cluster, condition: string, ms: number): Promise<void> {
  return eventually(async () => {
    const [row] = await queryCluster(cluster, `select (${condition}) as ok`);
    if (!row?.ok) throw new Error(`${cluster.name}: not so within ${ms} ms: ${condition}`);
  }, ms);
}
