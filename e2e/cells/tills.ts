/** Tills of many merchants, with the client that integrators get, through the router. */
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, UnknownOutcomeError } from '@/clients/typescript/src/index';
import type { Shop } from './world';

/** A transaction whose outcome a till was told. */
export interface Told {
  shop: Shop;
  transactionId: string;
  isTopUp: boolean;
  isDone: boolean;
  /** On `performance.now()`'s clock. */
  at: number;
  ms: number;
}

const pauseMs = 150;

/** Starts one till for each merchant. Each repeats a request until it knows the outcome. */
export function startTills(origin: string, shops: Shop[]) {
  const told: Told[] = [];
  const odd: string[] = [];
  let isOver = false;
  const till = async (shop: Shop, n: number) => {
    const client = createClient({ origin, apiKey: shop.key, giveUpAfterMs: 10_000 });
    await wait((n * pauseMs) / shops.length);
    for (let turn = 0; !isOver; turn++) {
      const isTopUp = turn % 3 === 0;
      const transactionId = `cells-${n}-${turn}`;
      const customer = { customerId: shop.customers[turn % shop.customers.length] as string };
      const send = () =>
        isTopUp
          ? client.POST('/transactions/stored-value/top-up', {
              body: { transactionId, customer, packageId: shop.packageId },
            })
          : client.POST('/transactions/stored-value/redeem', { body: { transactionId, customer, amount: 300 } });
      const at = performance.now();
      for (;;) {
        try {
          const { data, error, response } = await send();
          if (!data && response.status !== 402) odd.push(`${response.status} ${JSON.stringify(error)}`);
          told.push({ shop, transactionId, isTopUp, isDone: data !== undefined, at, ms: performance.now() - at });
          break;
        } catch (error) {
          if (!(error instanceof UnknownOutcomeError)) throw error;
          await wait(error.retryAfterMs);
        }
      }
      await wait(pauseMs);
    }
  };
  const all = Promise.all(shops.map(till));
  return {
    told,
    /** Answers that no till expects. */
    odd,
    stop: async () => {
      isOver = true;
      await all;
    },
  };
}

/** The time within which 99 of 100 transactions were answered, of those that began in a period. */
export function p99(told: Told[], from: number, to: number, isCounted: (shop: Shop) => boolean): number {
  const times = told.filter((one) => one.at >= from && one.at < to && isCounted(one.shop)).map(({ ms }) => ms);
  times.sort((a, b) => a - b);
  return Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
}
