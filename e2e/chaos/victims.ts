/** The processes to kill: a PostgreSQL with full durability, and the REST service. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { startEmbedded } from '@/db/operations/embedded';
import { migrate } from '@/db/operations/migrate';
import { freePort } from '@/db/operations/ports';
import { secretsIn } from '@/db/testing/secrets';
import { testSecret } from '@/server/testing/factory';
import { serviceEnvironment } from '../fixtures/service-environment';
import { buildRestService, type Patch } from './rest-build';

/** A period (on `performance.now()`'s clock) in which a process was known to be down. */
export interface Outage {
  from: number;
  to: number;
}

/** Retries until `attempt` succeeds; after `ms` throws its last error. */
export async function eventually<T>(attempt: () => Promise<T> | T, ms: number): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await wait(10);
    }
  }
}

export interface VictimDatabase {
  url: string;
  outages: Outage[];
  kill(): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<VictimDatabase> {
  // Created by startEmbedded: mkdtemp's mode would keep the postgres user out.
  const dataDir = join(tmpdir(), `loyalty-chaos-${randomUUID()}`);
  const server = await startEmbedded({ dataDir });
  const admin = postgres(server.url(), { max: 1, onnotice: () => {} });
  await admin`create database loyalty`;
  await admin.end();
  const url = server.url('loyalty');
  await migrate(url);
  const outages: Outage[] = [];
  return {
    url,
    outages,
    kill: () => {
      outages.push({ from: performance.now(), to: Number.POSITIVE_INFINITY });
      killWithChildren(server.pid());
    },
    restart: async () => {
      // The first attempts may find shared memory of backends that have not yet noticed that the postmaster is gone.
      await eventually(() => server.restart(), 20_000);
      (outages.at(-1) as Outage).to = performance.now();
    },
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Kills all of PostgreSQL at once: if only the postmaster were killed, its backends would finish their work. */
export function killWithChildren(pid: number): void {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  const children = (stdout ?? '').split('\n').filter((line) => line !== '');
  for (const one of [pid, ...children.map(Number)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}

export interface VictimService {
  origin: string;
  /** The current process id. */
  pid(): number;
  outages: Outage[];
  /** Unplanned exits, of which there must be none. */
  unplannedExits: string[];
  kill(): void;
  restart(): Promise<void>;
  /** What failed for a request, as its log says; empty where it has no line about it. */
  faultOf(requestId: string): string;
  /** Stops once, however often it is called. Errors: where its log contains a secret. */
  stop(): Promise<void>;
}

/** Where a service runs, if not on this machine. */
export interface Place {
  address: string;
  /** The command that runs `command` there. */
  enter(command: string[]): [string, ...string[]];
  settings: Record<string, string>;
}

export const localPlace: Place = {
  address: '127.0.0.1',
  enter: ([program = '', ...args]) => [program, ...args],
  settings: {},
};

/** Starts the REST service with `patches`, on a port that it keeps. */
export async function startRestService(
  databaseUrl: string,
  patches: Patch[] = [],
  place: Place = localPlace,
): Promise<VictimService> {
  const built = await buildRestService(patches);
  const port = await freePort();
  const origin = `http://${place.address}:${port}`;
  const outages: Outage[] = [];
  const unplannedExits: string[] = [];
  const logFile = join(tmpdir(), `loyalty-victim-${randomUUID()}.log`);
  const log = openSync(logFile, 'a');
  let child: ChildProcess | undefined;
  const planned = new WeakSet<ChildProcess>();

  const launch = async () => {
    const [program, ...args] = place.enter([process.execPath, built]);
    const launched = spawn(program, args, {
      stdio: ['ignore', log, 'pipe', 'ipc'],
      // Ctrl-C goes to the parent only.
      detached: true,
      env: serviceEnvironment({
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        HOST: place.address,
        LOG_LEVEL: 'info',
        // Customers of the tests have PINs that are sealed with it.
        DATA_SECRET: testSecret,
        ALLOWED_HOSTS: place.address,
        ...place.settings,
      }),
    });
    child = launched;
    let stderr = '';
    launched.stderr?.on('data', (text) => {
      stderr = `${stderr}${text}`.slice(-2_000);
    });
    launched.once('exit', (code, signal) => {
      if (!planned.has(launched)) unplannedExits.push(`${code ?? signal}: ${stderr}`);
    });
    const start = () => {
      if (launched.exitCode !== null) throw new Error(`the service did not start: ${stderr}`);
      return fetch(`${origin}/api/health`);
    };
    await eventually(start, 30_000);
  };
  const kill = () => {
    if (!child) return;
    planned.add(child);
    child.kill('SIGKILL');
  };
  const gone = async () => {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const stop = async () => {
    kill();
    await gone();
    rmSync(built, { force: true });
    closeSync(log);
    const secrets = secretsIn(readFileSync(logFile, 'utf8'));
    rmSync(logFile);
    if (secrets.length > 0) throw new Error(`the log holds what it should not:\n${secrets.slice(0, 20).join('\n')}`);
  };
  const faultOf = (requestId: string) => {
    const lines = readFileSync(logFile, 'utf8').split('\n');
    const line = lines.find((one) => one.includes(`"${requestId}"`) && one.includes('"msg":"fault"'));
    if (!line) return '';
    const { error, errorCode = '', errorMessage = '' } = JSON.parse(line);
    return `${error} ${errorCode} ${errorMessage}`;
  };
  let stopped: Promise<void> | undefined;
  await launch();
  return {
    origin,
    pid: () => child?.pid ?? 0,
    outages,
    unplannedExits,
    faultOf,
    kill: () => {
      outages.push({ from: performance.now(), to: Number.POSITIVE_INFINITY });
      kill();
    },
    restart: async () => {
      await gone();
      await launch();
      (outages.at(-1) as Outage).to = performance.now();
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
