/** The log of a process that starts and stops, as its operator reads it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { newestMigration } from '@/db/operations/migrations-folder';
import { commands } from '@/db/testing/commands';
import { ownDatabase } from '@/db/testing/database';
import { releaseVersion } from '../observe/release';
import { testSecret } from '../testing/factory';

const database = ownDatabase();

test('a worker logs its start and its stop, one JSON object a line, and nothing else', async () => {
  const settings = { APP_ENV: 'sandbox', AUTH_SECRET: testSecret, DATA_SECRET: testSecret, LOG_LEVEL: 'debug' };
  const child = spawn(process.execPath, [await commands(), 'worker'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...settings, DATABASE_URL: database.url, DATABASE_OWNER_URL: '', INSTANCE: 'shop-1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [logged, said] = [text(child.stdout), text(child.stderr)];
  child.stdout.on('data', (lines) => String(lines).includes('"started"') && child.kill('SIGTERM'));
  const [code] = await once(child, 'close');
  expect([code, await said]).toEqual([0, '']);
  const lines = (await logged)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    expect(line).toMatchObject({
      level: expect.any(Number),
      time,
      msg: expect.any(String),
      version: releaseVersion,
      instance: 'shop-1',
    });
  }
  const ours = lines.filter(({ msg }) => msg !== 'worker');
  expect(ours).toMatchObject([
    {
      msg: 'started',
      program: 'worker',
      environment: 'sandbox',
      listening: [],
      node: process.version,
      schema: newestMigration().tag,
      migrations: 'current',
    },
    { msg: 'stopping', reason: 'SIGTERM' },
    { msg: 'stopped', reason: 'SIGTERM', seconds: expect.any(Number) },
  ]);
  // Log lines of the queue itself.
  expect(lines.filter(({ msg, queue }) => msg === 'worker' && typeof queue === 'string').length).toBeGreaterThan(0);
});
