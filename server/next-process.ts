import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@/db/embedded';
import type { Env } from './env';
import { type Logger, standardOutput } from './log';

export interface NextProcess {
  origin: string;
  stop(): Promise<void>;
}

interface Output {
  write(line: string): unknown;
}

const firstDelayMs = 200;
/** Whoever lived for so long had started well: should it die, it is not waited for any longer than the first time. */
const soundAfterMs = 60_000;

/** Runs Next beside this process, and again when it dies; its log's lines go to `output`. Resolves when it answers. */
export async function startNext(
  settings: Env,
  log: Logger,
  mode: 'start' | 'dev',
  output: Output = standardOutput,
): Promise<NextProcess> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  // Killed with -9, this process can not stop Next any more: Next sees its channel close.
  const exitWithParent = join(process.cwd(), 'server', 'exit-with-parent.cjs');
  const bin = createRequire(`${process.cwd()}/package.json`).resolve('next/dist/bin/next');
  let child: ChildProcess | undefined;
  let passedOn: Promise<void> | undefined;
  let isStopping = false;
  let delayMs = firstDelayMs;

  // The front door is the one to close a connection that is not used.
  const idle = mode === 'start' ? ['--keepAliveTimeout', '70000'] : [];

  const launch = () => {
    const launchedAt = performance.now();
    child = spawn(
      process.execPath,
      ['--require', exitWithParent, bin, mode, '--port', String(port), '--hostname', '127.0.0.1', ...idle],
      {
        // Ctrl-C is for this process to answer, which ends Next when nothing needs it any more.
        detached: true,
        stdio: ['ignore', mode === 'dev' ? 'inherit' : 'pipe', 'inherit', 'ipc'],
        env: {
          ...process.env,
          NODE_ENV: mode === 'dev' ? 'development' : 'production',
          PUBLIC_ORIGIN: settings.PUBLIC_ORIGIN,
          NEXT_TELEMETRY_DISABLED: '1',
          PORT: String(port),
        },
      },
    );
    if (child.stdout) passedOn = passLogOn(child.stdout, output).catch(() => {});
    child.once('error', (error) => log.error({ error: error.name }, 'next did not start'));
    child.once('exit', (code) => {
      if (isStopping) return;
      log.error({ code }, 'next stopped, starting it again');
      if (performance.now() - launchedAt >= soundAfterMs) delayMs = firstDelayMs;
      setTimeout(() => !isStopping && launch(), delayMs).unref();
      delayMs = Math.min(delayMs * 2, 10_000);
    });
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
    await passedOn;
    clearTimeout(killer);
  };
  launch();

  const deadline = Date.now() + 60_000;
  while (!(await answers(`${origin}/api/health`))) {
    if (Date.now() > deadline) {
      await stop();
      throw new Error('Next did not start within a minute');
    }
    await wait(100);
  }
  return { origin, stop };
}

/** The log's lines are passed on; what Next says of its own start is no line of it. */
async function passLogOn(input: Readable, output: Output): Promise<void> {
  const lines = createInterface({ input });
  // Without this, the lines of a stream that was destroyed never end.
  input.once('close', () => lines.close());
  for await (const line of lines) {
    if (line.startsWith('{')) output.write(`${line}\n`);
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok,
    () => false,
  );
}
