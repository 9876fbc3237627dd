import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readEnv } from '../environment/env';
import { createLogger, standardOutput } from '../observe/log';
import { startNext } from './next-process';

const talkative = `
  console.log(' Next.js is ready');
  console.log('{"level":50,"msg":"fault"}');`;
const deaf = "process.on('SIGTERM', () => {});";

const secret = 'thirty-two characters, for tests only';
const settings = { APP_ENV: 'sandbox', DATABASE_URL: 'postgres://none', AUTH_SECRET: secret, DATA_SECRET: secret };

let folder: string;

/** Starts a stand-in for Next, which answers requests and runs `also`. */
function start(also: string) {
  folder = mkdtempSync(join(tmpdir(), 'next-'));
  for (const [file, text] of Object.entries({
    'server/process/exit-with-parent.cjs': '',
    'node_modules/next/dist/bin/next': `${also}
      const port = process.argv[process.argv.indexOf('--port') + 1];
      require('node:http').createServer((_, answer) => answer.end()).listen(port, '127.0.0.1');`,
  })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return startNext(readEnv(settings), createLogger('silent'), 'start', { folder });
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test('Next’s log lines go to the service’s log; what it prints on start does not', async () => {
  const written: string[] = [];
  vi.spyOn(standardOutput, 'write').mockImplementation((text) => written.push(text) > 0);
  const { stop } = await start(talkative);
  await vi.waitFor(() => expect(written).toContain('{"level":50,"msg":"fault"}\n'), { timeout: 40_000 });
  await stop();
  expect(written.join('')).not.toContain('ready');
});

test('a Next that ignores SIGTERM is killed after five seconds', async () => {
  const { origin, stop } = await start(deaf);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stopped = stop();
  vi.advanceTimersByTime(4_999);
  expect((await fetch(origin)).status).toBe(200);
  vi.advanceTimersByTime(1);
  await stopped;
  await expect(fetch(origin)).rejects.toThrow();
});
