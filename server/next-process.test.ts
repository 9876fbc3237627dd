import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readEnv } from './env';
import { createLogger, standardOutput } from './log';
import { startNext } from './next-process';

const next = `
  const port = process.argv[process.argv.indexOf('--port') + 1];
  console.log(' Next.js is ready');
  console.log('{"level":50,"msg":"fault"}');
  require('node:http').createServer((_, answer) => answer.end()).listen(port, '127.0.0.1');`;

test('what Next logs is in the log of the service, and what it says of its start is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'next-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  write('server/exit-with-parent.cjs', '');
  write('node_modules/next/dist/bin/next', next);
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const written: string[] = [];
  const output = vi.spyOn(standardOutput, 'write').mockImplementation((text) => written.push(text) > 0);
  const secret = 'thirty-two characters, for tests only';
  const settings = { APP_ENV: 'sandbox', DATABASE_URL: 'postgres://none', AUTH_SECRET: secret, DATA_SECRET: secret };
  try {
    const { stop } = await startNext(readEnv(settings), createLogger('silent'), 'start');
    await vi.waitFor(() => expect(written).toContain('{"level":50,"msg":"fault"}\n'), { timeout: 5_000 });
    await stop();
    expect(written.join('')).not.toContain('ready');
  } finally {
    output.mockRestore();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  }
});
