/** The measured servers, each in its own process, built as by `npm run build`. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { freePort } from '@/db/operations/ports';
import { eventually } from '@/e2e/chaos/victims';
import { blankSettings } from '@/e2e/fixtures/service-environment';
import type { BareSettings } from './bare';

const outdir = join('dist', 'bench');
/** Loaded first: a process exits when its parent is gone. */
const execArgv = ['--require', join(process.cwd(), 'server', 'process', 'exit-with-parent.cjs')];

/** Bundles everything that runs in its own process. */
export async function bundleProcesses(): Promise<void> {
  await build({
    entryPoints: [
      { in: 'e2e/chaos/rest-process.ts', out: 'rest-process' },
      ...['bare', 'load', 'loop'].map((name) => ({ in: `bench/rest/${name}-process.ts`, out: `${name}-process` })),
    ],
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
  });
}

export const bundledPath = (name: string): string => join(outdir, `${name}.js`);

/** Logs are written, as in production, and discarded. A developer's own settings do not apply. */
export const childOptions = (env: Record<string, string> = {}): ForkOptions => ({
  execArgv,
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  env: { ...process.env, ...blankSettings, NODE_ENV: 'production', ...env },
});

export interface RunningServer {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the service's REST process, without Next. */
export async function startRest(databaseUrl: string, pool: number): Promise<RunningServer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const secret = 'thirty-two characters, for a bench';
  const child = fork(
    bundledPath('rest-process'),
    childOptions({
      APP_ENV: 'sandbox',
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(pool),
      HOST: '127.0.0.1',
      PORT: String(port),
      AUTH_SECRET: secret,
      DATA_SECRET: secret,
      LOG_LEVEL: 'info',
    }),
  );
  await eventually(() => fetch(`${origin}/api/health`), 20_000);
  return running(child, origin);
}

/** Starts the bare server of the same operations. */
export async function startBare(settings: BareSettings): Promise<RunningServer> {
  const child = fork(bundledPath('bare-process'), childOptions());
  child.send(settings);
  const [{ origin }] = await once(child, 'message');
  return running(child, origin);
}

function running(child: ChildProcess, origin: string): RunningServer {
  return {
    origin,
    pid: child.pid as number,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
