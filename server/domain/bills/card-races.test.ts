/**
 * Money between Stripe and bills, with concurrent and interrupted steps. In the end, Stripe has exactly what the bills
 * keep, with tips, to the cent.
 */
import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { openPaidTable } from '@/server/testing/bill-payments';
import { Died, dyingAt } from '@/server/testing/dying-database';
import { randomFrom } from '@/server/testing/random';
import { topUpStage } from '@/server/testing/top-ups';
import type { CardPayments } from '../kernel/card-payments';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { refundBillPayment } from '../transactions/refund-bill-payment';
import { payBill } from './pay';
import { equalParts } from './rules';
import { settleBillPayment, settleOverdueBillPayments } from './settle';

const stage = topUpStage();
const minuteMs = 60_000;
type Table = Awaited<ReturnType<typeof openPaidTable>>;

/** The services of a process that dies at a call of Stripe: before the call, or before it gets the response. */
function dyingAtStripe(services: Services, step: number): { services: Services; isOver: () => boolean } {
  let done = 0;
  const dieAt = () => {
    done += 1;
    if (done >= step) throw new Died('at a call of Stripe');
  };
  const own = services.cardPayments?.on(null) as CardPayments;
  const dying = new Proxy(own, {
    get: (all, name: keyof CardPayments) =>
      name === 'takes'
        ? all.takes
        : async (...input: never[]) => {
            dieAt();
            const result = await (all[name] as (...given: never[]) => Promise<unknown>)(...input);
            dieAt();
            return result;
          },
  });
  return { services: { ...services, cardPayments: { on: () => dying, connect: null } }, isOver: () => done < step };
}

const dyingAtDatabase = (services: Services, step: number) => {
  const { db, isOver } = dyingAt(services.db, step);
  return { services: { ...services, db }, isOver };
};

/** Lets the worker finish everything interrupted or unknown, after all holds have ended. */
async function workerRuns({ services }: Table): Promise<void> {
  stage.travel(11 * minuteMs);
  await Promise.all([settleOverdueBillPayments(services), settleOverdueBillPayments(services)]);
}

/** For each payment of the table, Stripe still has what the bill keeps. */
async function expectBalanced({ merchant, money }: Table): Promise<void> {
  const { atStripe, kept, owed } = await money();
  expect({ atStripe, owed }).toEqual({ atStripe: kept, owed: 0 });
  const rows = await stage.owner`
    select id, state, checkout_ended, (kept_amount + kept_tip)::int as kept from bill_payments where merchant_id = ${merchant.id}`;
  for (const { id, state, checkout_ended: isEnded, kept: own } of rows) {
    const session = [...stage.stripe.sessions.values()].find(({ client_reference_id: of }) => of === id);
    const has = session?.payment_status === 'paid' ? session.amount_total - session.amountRefunded : 0;
    expect([state === 'held', isEnded, has]).toEqual([false, true, own]);
    expect(session?.status).not.toBe('open');
  }
}

const pagesOf = ({ merchant }: Table) =>
  [...stage.stripe.sessions.values()].filter(({ metadata }) => metadata.merchantId === merchant.id);

afterEach(() => {
  stage.stripe.fault = null;
});

describe.each([
  ['a statement', dyingAtDatabase],
  ['a call of Stripe', dyingAtStripe],
] as const)('a process that is killed at %s', (_, dying) => {
  /** Kills `work` at each of its steps, each time at a new table. */
  async function killAtEachStep(
    newTable: () => Promise<{
      table: Table;
      work: (services: Services) => Promise<unknown>;
      check: () => Promise<void>;
    }>,
  ): Promise<number> {
    for (let step = 1; step < 60; step++) {
      const { table, work, check } = await newTable();
      const { services, isOver } = dying(table.services, step);
      const end = await work(services).catch((error: unknown) => error);
      if (!isOver()) expect(end).toBeInstanceOf(Died);
      await check();
      if (isOver()) return step;
    }
    throw new Error('it never ends');
  }

  test('while it settles a late payment: all of it goes back, once', async () => {
    const steps = await killAtEachStep(async () => {
      const table = await openPaidTable(stage, 1_000);
      const { paymentId, session } = await table.begin({ tip: 100 });
      await table.close();
      stage.stripe.pay(session.id);
      return {
        table,
        work: (services) => settleBillPayment(services, { merchantId: table.merchant.id, billPaymentId: paymentId }),
        check: async () => {
          await Promise.all([table.settle(paymentId), table.settle(paymentId)]);
          expect(session.amountRefunded).toBe(1_100);
          await expectBalanced(table);
        },
      };
    });
    expect(steps).toBeGreaterThan(3);
  });

  test('while it settles a payment of an open bill: it counts, once', async () => {
    await killAtEachStep(async () => {
      const table = await openPaidTable(stage, 1_000);
      const { paymentId, session } = await table.begin({ tip: 100 });
      stage.stripe.pay(session.id);
      return {
        table,
        work: (services) => settleBillPayment(services, { merchantId: table.merchant.id, billPaymentId: paymentId }),
        check: async () => {
          await workerRuns(table);
          expect(await table.look()).toMatchObject({ state: 'paid', paid: 1_000, tips: 100 });
          await expectBalanced(table);
        },
      };
    });
  });

  test('while a till refunds a part: the same again refunds it once', async () => {
    await killAtEachStep(async () => {
      const table = await openPaidTable(stage, 1_000);
      const { paymentId, session } = await table.pay({ tip: 100 });
      const { billId, till } = table;
      const refund = (services: Services) =>
        refundBillPayment({ ...till, ...services, clock: till.clock }, { billId, paymentId, returned: 300 });
      return {
        table,
        work: refund,
        check: async () => {
          await Promise.all([refund(table.services), refund(table.services)]);
          expect(session.amountRefunded).toBe(300);
          expect(await table.look()).toMatchObject({ paid: 700, tips: 100, due: 300 });
          await expectBalanced(table);
        },
      };
    });
  });

  test('while it opens a page: the phone gets one on its next try, or the amount is free again', {
    timeout: 120_000,
  }, async () => {
    await killAtEachStep(async () => {
      const table = await openPaidTable(stage, 1_000);
      const wish = { paymentId: newId(), guestId: table.guestId, amount: 1_000, tip: 100 };
      return {
        table,
        work: (services) => payBill(services, table.table, wish, '203.0.113.1'),
        check: async () => {
          // If Stripe's response was lost, nothing is held any more, and the phone starts another payment.
          const { session } = await table.begin(wish).catch((error) => {
            if (error.code !== 'bill_payment_over') throw error;
            return table.begin({ ...wish, paymentId: newId() });
          });
          // A page whose address no one knows expires by itself.
          for (const one of pagesOf(table)) if (one !== session) one.status = 'expired';
          expect(await table.look()).toMatchObject({ held: 1_000 });
          stage.stripe.pay(session.id);
          await workerRuns(table);
          expect(await table.look()).toMatchObject({ state: 'paid', tips: 100 });
          await expectBalanced(table);
        },
      };
    });
  });

  test('while it opens a page that nobody asks for again: nothing stays held or open', {
    timeout: 120_000,
  }, async () => {
    await killAtEachStep(async () => {
      const table = await openPaidTable(stage, 1_000);
      const wish = { paymentId: newId(), guestId: table.guestId, amount: 1_000, tip: 0 };
      return {
        table,
        work: (services) => payBill(services, table.table, wish, '203.0.113.1'),
        check: async () => {
          await workerRuns(table);
          expect(await table.look()).toMatchObject({ held: 0, due: 1_000 });
          for (const one of pagesOf(table)) if (one.status === 'open') one.status = 'expired';
          await table.begin();
        },
      };
    });
  });
});

describe('twelve phones at one bill, while the till changes and closes it', () => {
  test.each([1, 2, 3, 4, 5, 6])('%i', async (seed) => {
    const random = randomFrom(seed);
    const total = 6_000 + seed;
    const table = await openPaidTable(stage, total, seed % 3 === 0 ? { settings: { currency: 'JPY' } } : {});
    const { services, merchant, till, billId, put, close, cancel, check, settle, sessionOf } = table;
    const expected = new Set(['bill_due_exceeded', 'bill_closed', 'bill_payment_over', 'service_unavailable']);
    const tolerate = async (work: Promise<unknown>) => {
      await work.catch((error: unknown) => {
        const isExpected = error instanceof Died || (error instanceof DomainError && expected.has(error.code));
        if (!isExpected) throw error;
      });
    };
    /** Reports that are late, doubled and in any order. */
    const reports: (() => Promise<unknown>)[] = [];
    const phone = async (share: number) => {
      const paymentId = newId();
      const { guestId } = table;
      const wish = {
        paymentId,
        guestId,
        amount: Math.max(50, share + Math.floor(random() * 3) - 1),
        tip: Math.floor(random() * 90),
      };
      // Some of the phones' requests are interrupted and sent again.
      if (random() < 0.3)
        await tolerate(
          payBill(dyingAtDatabase(services, 1 + Math.floor(random() * 14)).services, table.table, wish, '203.0.113.1'),
        );
      await tolerate(payBill(services, table.table, wish, '203.0.113.1'));
      const session = sessionOf(paymentId);
      if (!session) return;
      const luck = random();
      if (luck < 0.1) return tolerate(cancel(paymentId));
      if (luck < 0.2) return;
      const isPaid = await Promise.resolve()
        .then(() => stage.stripe.pay(session.id))
        .then(
          () => true,
          () => false,
        );
      if (!isPaid) return;
      if (luck < 0.3) return tolerate(cancel(paymentId));
      if (luck < 0.5)
        return void reports.push(
          () => settle(paymentId),
          () => settle(paymentId),
        );
      if (luck < 0.7)
        await tolerate(
          settleBillPayment(dyingAtStripe(services, 1 + Math.floor(random() * 5)).services, {
            merchantId: merchant.id,
            billPaymentId: paymentId,
          }),
        );
      if (luck < 0.9)
        await Promise.all([
          tolerate(check(paymentId)),
          tolerate(settle(paymentId)),
          tolerate(settle(paymentId, session.id)),
        ]);
      if (luck > 0.8)
        await tolerate(
          refundBillPayment(till, { billId, paymentId, returned: 1 + Math.floor(random() * share) }).catch((error) => {
            if (!(error instanceof DomainError && error.code === 'bill_payment_not_found')) throw error;
          }),
        );
    };
    const change = async () => {
      for (const revision of [2, 3, 4]) await put(4_000 + Math.floor(random() * 4_000), revision);
      await put(5_500, 5);
      if (seed % 2 === 0) await close();
    };
    const shares = equalParts(total, 12);
    await Promise.all([...shares.map(phone), change(), ...shares.map(phone), settleOverdueBillPayments(services)]);
    for (const report of reports.toReversed()) await report();
    if (seed % 2 !== 0) await close();
    await workerRuns(table);
    // Work that another run had found in progress.
    await settleOverdueBillPayments(services);
    await expectBalanced(table);
    const { state, paid, tips, held, overpaid } = await table.look();
    expect({ state, held, overpaid }).toEqual({ state: 'closed', held: 0, overpaid: 0 });
    expect(paid).toBeLessThanOrEqual(5_500);
    expect((await table.money()).atStripe).toBe(paid + tips);
  });
});

const seed = randomInt(2 ** 31);

test(`twelve phones at four processes, each killed twice while they pay, and the till changes and closes the bill (seed ${seed})`, {
  timeout: 120_000,
}, async () => {
  const random = randomFrom(seed);
  const program = resolve('dist', `${randomUUID()}.mjs`);
  const entryPoints = [resolve('server/testing/phones-process.ts')];
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  onTestFinished(() => rm(program));
  const table = await openPaidTable(stage, 6_000);
  const { merchant, visit, put, close, settle } = table;
  const args = [program, stage.url, stage.stripe.origin, merchant.stores[0].key, visit.token, '3', '125'];
  let words = 0;
  /** Runs a process, and kills it some time after it has printed `killAfter` words. */
  const run = async (killAfter: number) => {
    const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(service, 'close');
    const failure = text(service.stderr);
    let printed = 0;
    for await (const _ of createInterface(service.stdout)) {
      printed += 1;
      words += 1;
      if (printed === killAfter) void wait(random() * 30).then(() => service.kill('SIGKILL'));
    }
    const [code, signal] = await closed;
    return signal ?? (code === 0 ? 'done' : failure);
  };
  const ends: unknown[] = [];
  const restarted = async () => {
    for (const _ of [1, 2]) ends.push(await run(1 + Math.floor(random() * 9)));
    ends.push(await run(Number.POSITIVE_INFINITY));
  };
  const change = async () => {
    for (const revision of [2, 3, 4, 5]) {
      await expect.poll(() => words, { timeout: 60_000, interval: 5 }).toBeGreaterThan(3 * revision);
      await put(4_500 + Math.floor(random() * 1_500), revision);
    }
  };
  await Promise.all([restarted(), restarted(), restarted(), restarted(), change()]);
  expect(ends.filter((end) => end === 'SIGKILL').length).toBeGreaterThan(3);
  expect(ends.filter((end) => end !== 'SIGKILL' && end !== 'done')).toEqual([]);
  const paid = pagesOf(table).filter(({ payment_status }) => payment_status === 'paid');
  expect(paid.length).toBeGreaterThan(6);
  await close();
  // Stripe's reports come last, the newest first, and twice.
  for (const { client_reference_id: id, id: checkoutId } of paid.toReversed()) {
    await Promise.all([settle(id, checkoutId), settle(id, checkoutId)]);
  }
  await workerRuns(table);
  // If the process was killed before it knew the page's address, no one knows of the page.
  for (const page of pagesOf(table)) if (page.status === 'open') page.status = 'expired';
  await expectBalanced(table);
  const end = await table.look();
  expect(end).toMatchObject({ state: 'closed', held: 0, overpaid: 0 });
  expect((await table.money()).atStripe).toBe(end.paid + end.tips);
});
