/** What gets killed: a PostgreSQL with full durability, and the REST service as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { freePort, startEmbedded } from '@/db/embedded';
import { migrate } from '@/db/migrate';

/** A time (of `performance.now()`) in which something was away, and was known to be. */
export interface Outage {
  from: number;
  to: number;
}

/** Tries until `attempt` succeeds; after `ms` its error is the answer. */
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
  // Made by startEmbedded: mkdtemp's mode would keep the postgres user out.
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
      process.kill(server.pid(), 'SIGKILL');
    },
    restart: async () => {
      // The first attempts may find the memory of backends that have not yet noticed the postmaster's end.
      await eventually(() => server.restart(), 20_000);
      (outages.at(-1) as Outage).to = performance.now();
    },
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface VictimService {
  origin: string;
  outages: Outage[];
  /** Exits that nobody asked for: there must be none. */
  unplannedExits: string[];
  kill(): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRestService(databaseUrl: string): Promise<VictimService> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const secret = 'thirty-two characters, for tests only';
  const outages: Outage[] = [];
  const unplannedExits: string[] = [];
  let child: ChildProcess | undefined;
  const planned = new WeakSet<ChildProcess>();

  const launch = async () => {
    const launched = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'rest-process.ts')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        APP_ENV: 'sandbox',
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        HOST: '127.0.0.1',
        AUTH_SECRET: secret,
        DATA_SECRET: secret,
        LOG_LEVEL: 'silent',
      },
    });
    child = launched;
    let stderr = '';
    launched.stderr?.on('data', (text) => {
      stderr = `${stderr}${text}`.slice(-2_000);
    });
    launched.once('exit', (code, signal) => {
      if (!planned.has(launched)) unplannedExits.push(`${code ?? signal}: ${stderr}`);
    });
    await eventually(() => fetch(`${origin}/api/health`), 20_000);
  };
  const kill = () => {
    if (!child) return;
    planned.add(child);
    child.kill('SIGKILL');
  };
  await launch();
  return {
    origin,
    outages,
    unplannedExits,
    kill: () => {
      outages.push({ from: performance.now(), to: Number.POSITIVE_INFINITY });
      kill();
    },
    restart: async () => {
      await launch();
      (outages.at(-1) as Outage).to = performance.now();
    },
    stop: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((done) => child?.once('exit', done));
      kill();
      await exited;
    },
  };
}
