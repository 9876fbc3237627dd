/** How soon Next is restarted, on a clock that the test controls. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { readEnv } from '../environment/env';
import { keptLog } from '../testing/kept-log';
import { startNext } from './next-process';

/** A stand-in for Next that answers, and exits on request. */
const next = `
  const port = process.argv[process.argv.indexOf('--port') + 1];
  require('node:http').createServer(({ url }, answer) => {
    if (url === '/die') process.exit(1);
    answer.end();
  }).listen(port, '127.0.0.1');`;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Polls in real time, unlike the clock that the test controls. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<boolean> {
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; await wait(10)) if (await isSo()) return true;
  return false;
}

test('the restart delay grows with each crash, until Next has lived for a minute', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'next-'));
  for (const [file, text] of Object.entries({
    'server/process/exit-with-parent.cjs': '',
    'node_modules/next/dist/bin/next': next,
  })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const secret = 'thirty-two characters, for tests only';
  const settings = { APP_ENV: 'sandbox', DATABASE_URL: 'postgres://none', AUTH_SECRET: secret, DATA_SECRET: secret };
  const { log, lines } = keptLog();
  const { origin, stop } = await startNext(readEnv(settings), log, 'start', { folder });
  const answers = () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    for (const [livedMs, delayMs] of [
      [0, 200],
      [1_000, 400],
      [59_000, 800],
      [60_000, 200],
      [0, 400],
    ] as const) {
      vi.advanceTimersByTime(livedMs);
      const told = lines.length;
      await fetch(`${origin}/die`).catch(() => {});
      expect(await until(() => lines.length > told)).toBe(true);
      vi.advanceTimersByTime(delayMs - 1);
      expect(await answers()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(await until(answers), `after ${livedMs} ms`).toBe(true);
    }
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
