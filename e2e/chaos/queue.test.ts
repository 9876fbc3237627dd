/** The client's queue on a very bad network, in a process that is killed again and again. */
import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { randomFrom } from '@/server/testing/random';
import { ledgerViolations, restApi } from '../rest/harness';
import { createStage } from '../rest/operations';
import { startLossyProxy } from './lossy-proxy';

const api = restApi();
const seed = randomInt(2 ** 31);
const program = resolve('dist', 'chaos', `${randomUUID()}.mjs`);

beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, 'queue-process.ts')];
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  return () => rm(program);
});

test(`a till that is killed while it sends loses nothing and doubles nothing (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const stage = await createStage(api);
  // Every fourth request passes: with more bad luck in a row, the queue would pause for half a minute at a time.
  let drawn = 0;
  const proxy = await startLossyProxy([api.origin], () => (++drawn % 4 === 0 ? 0.999 : random()));
  onTestFinished(() => proxy.stop());
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lines: string[] = [];
  /** Runs the till, and kills it some time after it printed so many lines. */
  const runTill = async (count: number, killAfterLines: number) => {
    const args = [program, proxy.origin, stage.key, folder, stage.customer.id, String(count)];
    const till = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(till, 'close');
    let printed = 0;
    for await (const line of createInterface(till.stdout)) {
      lines.push(line);
      printed += 1;
      if (printed === killAfterLines) void wait(random() * 400).then(() => till.kill('SIGKILL'));
    }
    const [, signal] = await closed;
    return signal;
  };

  const ends: unknown[] = [];
  for (let n = 0; n < 6; n++) ends.push(await runTill(12, 1 + Math.floor(random() * 12)));
  expect(ends.filter((signal) => signal === 'SIGKILL').length).toBeGreaterThan(2);
  expect(await runTill(0, Number.POSITIVE_INFINITY)).toBeNull();
  await proxy.settled();

  const idsOf = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.split(' ')[1]);
  const [added, completed] = [idsOf('added'), new Set(idsOf('completed'))];
  const rows = await api.owner`
    select transaction_id as id, count(*)::int as times from transactions
    where merchant_id = ${stage.merchant.id} and type = 'redeemStoredValue' group by transaction_id`;
  expect(added.length).toBeGreaterThan(20);
  expect(rows.every(({ times }) => times === 1)).toBe(true);
  const executed = new Set(rows.map(({ id }) => id));
  expect(added.filter((id) => !executed.has(id))).toEqual([]);
  // Of each, the till was told at least once. It may be killed before it prints that a request is in the journal.
  expect([...executed].filter((id) => !completed.has(id))).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
  const [balance] = await api.owner`
    select (principal + bonus)::int as value from balances where customer_id = ${stage.customer.id}`;
  expect(balance?.value).toBe(12_000 - 10 * executed.size);
  expect(await ledgerViolations(api)).toEqual([]);
}, 120_000);
