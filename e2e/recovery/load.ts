/** A merchant whose tills work all the while; they keep to the contract, and know what they were told. */
import { randomInt } from 'node:crypto';
import type postgres from 'postgres';
import { createCustomer, createFixedPackage, createMerchant } from '@/server/testing/factory';
import { randomFrom } from '@/server/testing/random';
import { newTally, type Pos, type Shop, sendRequest, startClient, type Told } from '../chaos/clients';
import { eventually, type VictimService } from '../chaos/victims';
import { say } from './drill';

export const tills = 16;

export interface Stage {
  merchantId: string;
  pos: Pos;
  hot: string[];
  cold: string[];
  packageId: string;
}

export async function setStage(owner: postgres.Sql, { origin }: VictimService): Promise<Stage> {
  const { id: merchantId, stores } = await createMerchant(owner);
  const customers: string[] = [];
  for (let n = 0; n < 64; n++) customers.push((await createCustomer(owner, merchantId)).id);
  return {
    merchantId,
    pos: { origin, key: stores[0].key },
    hot: customers.slice(0, 4),
    cold: customers.slice(4),
    packageId: await createFixedPackage(owner, merchantId, { amount: 5_000, bonus: 500 }),
  };
}

export interface Load {
  shop: Shop;
  /** Resolves when so many more transactions have come to an end. */
  more(count: number): Promise<void>;
  /** Lets the tills finish what they began. */
  finish(): Promise<void>;
}

/** All tills at work, one at each of `places`; `name` begins each of their transactions' ids. */
export function startLoad(
  { pos, hot, cold, packageId }: Stage,
  name: string,
  places: Pos[] = new Array(tills).fill(pos),
): Load {
  let isDone = false;
  const seed = randomInt(2 ** 31);
  say(`Seed of the tills: ${seed}.`);
  const shop: Shop = {
    hot,
    cold,
    packageId,
    told: [],
    tally: newTally(),
    complaints: [],
    refundPart: async () => false,
    isDone: () => isDone,
    deadline: performance.now() + 900_000,
  };
  const clients = places.map((place, n) => startClient(shop, place, `${name}-${n}`, randomFrom(seed + n)));
  return {
    shop,
    more: (count) => {
      const goal = shop.told.length + count;
      return eventually(() => {
        if (shop.told.length < goal)
          throw new Error(`only ${shop.told.length} of ${goal} transactions within three minutes`);
      }, 180_000);
    },
    finish: async () => {
      isDone = true;
      await Promise.all(clients);
    },
  };
}

/** A top-up, which succeeds at any balance. */
export function topUp({ hot, packageId }: Stage, transactionId: string): Pick<Told, 'path' | 'body'> {
  const body = { transactionId, customer: { customerId: hot[0] as string }, packageId };
  return { path: '/transactions/stored-value/top-up', body };
}

/** One till's requests, all of which succeed at any balance that the other tills leave. */
export function requestsOf(stage: Stage, name: string, count: number): Pick<Told, 'path' | 'body'>[] {
  const customer = { customerId: stage.hot[0] as string };
  return Array.from({ length: count }, (_, n) => {
    const transactionId = `${name}-${n}`;
    if (n % 2 === 0) return topUp(stage, transactionId);
    return { path: '/transactions/stored-value/redeem', body: { transactionId, customer, amount: 1 } };
  });
}

/** Sends a request once. Errors: where it is not carried out, now and for the first time. */
export async function carryOut(pos: Pos, { path, body }: Pick<Told, 'path' | 'body'>): Promise<Told> {
  const { status, text, isReplay } = await sendRequest(pos, 'POST', path, body);
  if (status !== 200 || isReplay) throw new Error(`${body.transactionId} was answered ${status} ${text}`);
  return { path, body, status: 'completed', answer: text };
}
