/**
 * Shared by the tests of the patched driver. POSTGRES_JS_ROOT names another copy of it, such as an unpatched release.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '../operations/embedded.ts';
import { runningClock } from './running-clock.ts';

const require = createRequire(import.meta.url);
const root = process.env.POSTGRES_JS_ROOT ?? dirname(dirname(require.resolve('postgres')));

/** The URL of a file of the driver, for `import`. */
export const driverFile = (file: string): string => pathToFileURL(join(root, file)).href;

export const { default: postgres }: { default: typeof import('postgres') } = await import(driverFile('src/index.js'));

/**
 * Starts a PostgreSQL for this test file alone, which its tests may kill. `cleanUps` run after each test, last first.
 */
export function driverServer(): { server(): EmbeddedServer; cleanUps: (() => unknown)[] } {
  const folder = join(tmpdir(), `postgres-patch-${randomUUID()}`);
  const cleanUps: (() => unknown)[] = [];
  let server: EmbeddedServer | undefined;
  beforeAll(async () => {
    server = await startEmbedded({ dataDir: folder, unsafe: true });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  return {
    server: () => {
      if (!server) throw new Error('driverServer() is for tests and hooks');
      return server;
    },
    cleanUps,
  };
}

/** The outcome of a promise that must settle within `ms`: 'ok', the error's code, or 'pending'. */
export const outcomeWithin = (promise: PromiseLike<unknown>, ms = 2_000): Promise<string> =>
  answerOf(
    promise.then(() => 'ok'),
    ms,
  );

/** The value of a promise that must settle within `ms`, its error's code, or 'pending'. */
export async function answerOf<T>(promise: PromiseLike<T>, ms = 2_000): Promise<T | string> {
  const clock = runningClock();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    timer = setInterval(() => clock.elapsed() > ms && done('pending'), 20);
  });
  const settled = promise.then(
    (value) => value,
    (error) => String(error.code ?? error.message),
  );
  return Promise.race([settled, late]).finally(() => {
    clearInterval(timer);
    clock.stop();
  });
}

/** Retries until it succeeds; returns how long that took. Fails with the last error after `ms`. */
export async function eventually(attempt: () => Promise<unknown>, ms: number): Promise<number> {
  const clock = runningClock();
  try {
    for (;;) {
      try {
        await attempt();
        return clock.elapsed();
      } catch (error) {
        if (clock.elapsed() > ms) throw error;
        await new Promise((done) => setTimeout(done, 20));
      }
    }
  } finally {
    clock.stop();
  }
}
