/**
 * The worker is killed (SIGKILL) while it settles and reconciles card payments, at each answer of Stripe and at random
 * statements. Restarted, it ends where a worker ends that nobody kills: the same states, balances and money at Stripe.
 */
import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaidTable } from '@/server/testing/bill-payments';
import type { Death, Task } from '@/server/testing/card-task-process';
import { randomFrom } from '@/server/testing/random';
import { topUpStage } from '@/server/testing/top-ups';
import { settleTopUp } from '../top-ups';

const stage = topUpStage();
const hourMs = 60 * 60_000;
const program = resolve('dist', `${randomUUID()}.mjs`);

beforeAll(async () => {
  const entryPoints = [resolve('server/testing/card-task-process.ts')];
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  // The worker's time is that of the test: some hours after what happened at Stripe.
  stage.travel(2 * hourMs);
});
afterAll(() => rm(program));

/** Runs a task in a process of its own. Returns how it ended. */
async function run(task: Task, death: Death = 'stripe', step = Number.MAX_SAFE_INTEGER) {
  const args = [program, stage.url, stage.stripe.origin, String(2 * hourMs), task, death, String(step)];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const failure = text(worker.stderr);
  const [code, signal] = await once(worker, 'close');
  return signal ?? (code === 0 ? 'done' : await failure);
}

/** All that the worker has to find, of which no event came. */
async function createScene() {
  const { merchant, ctx, customer, beginByCard } = await stage.scene();
  const paid = async () => {
    const { session, ...request } = await beginByCard();
    stage.stripe.pay(session.id);
    return { session, request };
  };
  const credited = async () => {
    const { session, request } = await paid();
    await settleTopUp(ctx, request);
    return session.id;
  };
  await paid();
  stage.stripe.refund(await credited());
  stage.stripe.refund(await credited(), 1_000);
  stage.stripe.dispute(await credited());
  // Stripe took another amount than the offer's: it goes back.
  const { session: wrong } = await beginByCard();
  wrong.amount_total = 9_999;
  stage.stripe.pay(wrong.id);

  const tables = await Promise.all([1, 2, 3, 4].map(() => openPaidTable(stage, 1_000)));
  const [unseen, refunded, disputed, late] = tables as [(typeof tables)[0], ...typeof tables];
  stage.stripe.pay((await unseen.begin({ tip: 100 })).session.id);
  stage.stripe.refund((await refunded?.pay())?.session.id ?? '', 300);
  stage.stripe.dispute((await disputed?.pay())?.session.id ?? '');
  const tooLate = await late?.begin();
  await late?.close();
  stage.stripe.pay(tooLate?.session.id ?? '');
  return { merchant, customer, tables };
}
type Scene = Awaited<ReturnType<typeof createScene>>;

/** What the worker left, without ids: states, balances, and money at Stripe. */
async function readEnd({ merchant, customer, tables }: Scene) {
  const ids = [merchant.id, ...tables.map((table) => table.merchant.id)];
  const { owner, stripe } = stage;
  const topUps = await owner`
    select state, principal::int, refunded_amount::int, refusal from top_up_requests where merchant_id = ${merchant.id} order by id`;
  const disputes = await owner`
    select status, amount::int, block_uid is not null as blocks from card_disputes where merchant_id = any(${ids}) order by 3`;
  const [balance] = await owner`select principal::int, bonus::int from balances where customer_id = ${customer.id}`;
  const entries = await owner`
    select kind, part, count(*)::int, sum(amount)::int from ledger_entries where merchant_id = ${merchant.id} group by 1, 2 order by 1, 2`;
  const audited = await owner`
    select action, count(*)::int from audit_log where merchant_id = any(${ids}) and actor_kind = 'service' group by 1 order by 1`;
  const sessions = [...stripe.sessions.values()].filter(({ metadata }) => ids.includes(metadata.merchantId ?? ''));
  return {
    topUps: [...topUps],
    disputes: [...disputes],
    balance,
    entries: [...entries],
    audited: [...audited],
    atStripe: sessions.map(({ amount_total, amountRefunded, refunds }) => [
      amount_total,
      amountRefunded,
      refunds.length,
    ]),
    bills: await Promise.all(
      tables.map(async ({ look, money }) => {
        const { state, paid, tips, held, due } = await look();
        return { state, paid, tips, held, due, ...(await money()) };
      }),
    ),
  };
}

/** In the second night, what the first one found and mended is compared again. */
async function runAll() {
  for (const task of ['settle', 'reconcile', 'reconcile'] as const) expect(await run(task)).toBe('done');
}

/** The end without a kill. */
async function endInPeace() {
  const scene = await createScene();
  await runAll();
  return readEnd(scene);
}

let inPeace: ReturnType<typeof endInPeace> | null = null;
/** What all tests compare with. */
function peaceful() {
  inPeace ??= endInPeace();
  return inPeace;
}

/** For each payment, Stripe has what we keep. */
function expectToTheCent({ topUps, bills, atStripe }: Awaited<ReturnType<typeof readEnd>>) {
  const keptOfTopUps = topUps.reduce(
    (sum, { state, principal, refunded_amount }) => sum + (state === 'credited' ? principal - refunded_amount : 0),
    0,
  );
  const keptOfBills = bills.reduce((sum, { kept, owed }) => sum + kept + owed, 0);
  const net = atStripe.reduce((sum, [amount = 0, refunded = 0]) => sum + amount - refunded, 0);
  expect(keptOfTopUps + keptOfBills).toBe(net);
}

/** Reconciliation asks more often, and a settling within it dies at other answers than alone. */
const strides = { settle: 1, reconcile: 2 };

test.each(['settle', 'reconcile'] as const)(
  '%s: killed at each answer of Stripe',
  { timeout: 240_000 },
  async (task) => {
    const wanted = await peaceful();
    expectToTheCent(wanted);
    const scene = await createScene();
    const ends: string[] = [];
    for (let step = 1; ends.at(-1) !== 'done'; step += strides[task]) ends.push(await run(task, 'stripe', step));
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set(ends)).toEqual(new Set(['SIGKILL', 'done']));
    await runAll();
    const end = await readEnd(scene);
    expect(end).toEqual(wanted);
    expectToTheCent(end);
    expect(await stage.ledgerViolations()).toEqual([]);
  },
);

const seed = randomInt(2 ** 31);

test(`killed at random statements, two workers at once (seed ${seed})`, { timeout: 240_000 }, async () => {
  const random = randomFrom(seed);
  const wanted = await peaceful();
  const scene = await createScene();
  const kill = (task: Task) => run(task, 'database', 1 + Math.floor(random() * 60));
  const ends: string[] = [];
  for (let round = 1; round <= 4; round++) ends.push(...(await Promise.all([kill('reconcile'), kill('settle')])));
  expect(ends).toContain('SIGKILL');
  await runAll();
  const end = await readEnd(scene);
  expect(end).toEqual(wanted);
  expectToTheCent(end);
  expect(await stage.ledgerViolations()).toEqual([]);
});
