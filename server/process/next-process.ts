import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@/db/operations/ports';
import { releaseRoot } from '@/server/observe/release';
import type { Env } from '../environment/env';
import { type Logger, standardOutput } from '../observe/log';
import type { MetricFamilies } from '../observe/metrics';

export interface NextProcess {
  origin: string;
  /** True if it has answered since its last start. */
  isUp(): boolean;
  /** The process's metrics for Prometheus; null if it does not answer. */
  metrics(): Promise<MetricFamilies | null>;
  stop(): Promise<void>;
}

interface Output {
  write(line: string): unknown;
}

const firstDelayMs = 200;
/** If Next dies after it has run this long, the delay before a restart starts over. */
const stableAfterMs = 60_000;

/**
 * Runs the release's Next in `folder` as a child process, and restarts it when it dies. Writes its log lines to
 * `output`. Resolves when Next answers.
 */
export async function startNext(
  settings: Env,
  log: Logger,
  mode: 'start' | 'dev',
  { folder = releaseRoot, output = standardOutput }: { folder?: string; output?: Output } = {},
): Promise<NextProcess> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  // If this process is killed with -9, it can't stop Next. So Next ends itself when its IPC channel closes.
  const preloaded = ['exit-with-parent.cjs', ...(settings.METRICS_PORT ? ['next-metrics.cjs'] : [])];
  const preloads = preloaded.flatMap((file) => ['--require', join(folder, 'server', 'process', file)]);
  const program = nextProgram(folder, mode, port);
  let child: ChildProcess | undefined;
  let logForwarding: Promise<void> | undefined;
  let isUp = false;
  let isStopping = false;
  let delayMs = firstDelayMs;

  const launch = () => {
    const launchedAt = performance.now();
    child = spawn(process.execPath, [...preloads, ...program.args], {
      // So that Ctrl-C reaches only this process, which ends Next when nothing needs it any more.
      detached: true,
      stdio: ['ignore', mode === 'dev' ? 'inherit' : 'pipe', 'inherit', 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: mode === 'dev' ? 'development' : 'production',
        PUBLIC_ORIGIN: settings.cell?.originPattern ?? settings.PUBLIC_ORIGIN,
        NEXT_TELEMETRY_DISABLED: '1',
        PORT: String(port),
        // Otherwise Next would end before it has sent its last spans. `instrumentation.ts` ends it instead, when no
        // request is in progress.
        ...(settings.OTEL_EXPORTER_OTLP_ENDPOINT ? { NEXT_MANUAL_SIG_HANDLE: '1' } : {}),
        ...program.env,
      },
    });
    if (child.stdout) logForwarding = forwardLog(child.stdout, output).catch(() => {});
    child.once('error', (error) => log.error({ error: error.name }, 'next did not start'));
    child.once('exit', (code) => {
      isUp = false;
      if (isStopping) return;
      log.error({ code }, 'next stopped, starting it again');
      if (performance.now() - launchedAt >= stableAfterMs) delayMs = firstDelayMs;
      setTimeout(() => !isStopping && launch(), delayMs).unref();
      delayMs = Math.min(delayMs * 2, 10_000);
    });
    void waitUntilUp(child);
  };
  const waitUntilUp = async (launched: ChildProcess) => {
    while (child === launched && launched.exitCode === null && !isUp) {
      const isAnswered = await isAnswering(`${origin}/api/health`);
      if (child === launched && launched.exitCode === null) isUp = isAnswered;
      if (!isUp) await wait(100);
    }
  };
  const stop = async () => {
    isStopping = true;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((done) => child?.once('close', done));
    child.kill('SIGTERM');
    const killer = setTimeout(() => {
      child?.kill('SIGKILL');
      child?.stdout?.destroy();
    }, 5_000);
    await closed;
    await logForwarding;
    clearTimeout(killer);
  };
  launch();

  const deadline = Date.now() + 60_000;
  while (!isUp) {
    if (Date.now() > deadline) {
      await stop();
      throw new Error('Next did not start within a minute');
    }
    await wait(100);
  }
  return { origin, isUp: () => isUp, metrics: () => readMetrics(child), stop };
}

/** Longer than the front door's, so that the front door closes idle connections first. */
const keepAliveMs = '70000';

function nextProgram(folder: string, mode: 'start' | 'dev', port: number) {
  // A packaged release has Next's server, but not its command line.
  const packaged = join(folder, 'server.js');
  if (existsSync(packaged))
    return { args: [packaged], env: { HOSTNAME: '127.0.0.1', KEEP_ALIVE_TIMEOUT: keepAliveMs } };
  const program = createRequire(`${folder}/package.json`).resolve('next/dist/bin/next');
  const keepAlive = mode === 'start' ? ['--keepAliveTimeout', keepAliveMs] : [];
  return { args: [program, mode, '--port', String(port), '--hostname', '127.0.0.1', ...keepAlive], env: {} };
}

/** Forwards log lines only, not what Next prints on start. */
async function forwardLog(input: Readable, output: Output): Promise<void> {
  const lines = createInterface({ input });
  // Without this, iterating over the lines of a destroyed stream never ends.
  input.once('close', () => lines.close());
  for await (const line of lines) {
    if (line.startsWith('{')) output.write(`${line}\n`);
  }
}

function readMetrics(child: ChildProcess | undefined): Promise<MetricFamilies | null> {
  return new Promise((resolve) => {
    if (!child?.connected) return resolve(null);
    const end = (metrics: MetricFamilies | null) => {
      clearTimeout(timer);
      child.off('message', onMessage);
      resolve(metrics);
    };
    const onMessage = (message: { metrics?: MetricFamilies }) => message.metrics && end(message.metrics);
    const timer = setTimeout(end, 1_000, null);
    child.on('message', onMessage);
    child.send('metrics', (error) => error && end(null));
  });
}

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok,
    () => false,
  );
}
