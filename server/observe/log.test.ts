/** Tests a process whose log can't be written. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** Runs a program with a log. Returns its exit code, its log if that is read, and its stderr. */
async function runWithLog(program: string, log: 'pipe' | number) {
  const script = `import { createLogger } from './server/observe/log.ts'; const log = createLogger('info'); ${program}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', log, 'pipe'],
    // A killed process has no exit code.
    timeout: 15_000,
  });
  const said = child.stderr ? text(child.stderr) : '';
  const logged = child.stdout ? text(child.stdout) : '';
  const code = await new Promise((done) => child.on('close', done));
  return { code, logged: await logged, said: await said };
}

const busy = `
  const line = 'x'.repeat(10_000);
  const timer = setInterval(() => { for (let n = 0; n < 200; n++) log.info(line); }, 10);
  setTimeout(() => {
    clearInterval(timer);
    process.stderr.write(\`\${process.memoryUsage.rss()}\`);
  }, 1_000);`;

test.skipIf(process.platform !== 'linux')(
  'with a full disk, a process continues, buffers few lines, and can end',
  async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const { code, said } = await runWithLog(busy, full);
      expect([code, said]).toEqual([0, expect.stringMatching(/^\d+$/)]);
      expect(Number(said)).toBeLessThan(200_000_000);
      expect(await runWithLog(`log.info('the last'); process.exit(3);`, full)).toMatchObject({ code: 3, said: '' });
    } finally {
      closeSync(full);
    }
  },
);

test('lines logged just before the end are written', async () => {
  const many = `for (let n = 0; n < 2_000; n++) log.info({ n }, 'x'.repeat(500)); process.exit(3);`;
  const { code, logged } = await runWithLog(many, 'pipe');
  expect(code).toBe(3);
  const numbers = logged
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).n);
  expect(numbers).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
});

test('a line is one JSON object with its time in UTC, whatever text is in it', async () => {
  const forged = '"}\n{"level":30,"security":"staff.signed_in"}\r\u2028\u001b[31m';
  const { logged } = await runWithLog(`log.info({ list: ${JSON.stringify(forged)} }, 'exported');`, 'pipe');
  expect(logged.trimEnd().split(/[\n\r]/)).toHaveLength(1);
  expect(logged).not.toContain('\u001b');
  expect(JSON.parse(logged)).toEqual({
    level: 30,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    instance: hostname(),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    list: forged,
    msg: 'exported',
  });
});
