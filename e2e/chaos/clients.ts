/**
 * Tills that work with the client that integrators get: until they know a transaction's outcome, they resend it unchanged,
 * look it up, or void it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  createClient,
  giveUp,
  lookUp,
  type RedeemStoredValueRequest,
  RefusedError,
  UnknownOutcomeError,
} from '@/clients/typescript/src/index';
import type { Complaint } from './complaints';

export interface Pos {
  origin: string;
  key: string;
}

interface Answer {
  /** Null: no complete response within 5 seconds. */
  status: number | null;
  text: string;
  retryAfter: string | null;
  isReplay: boolean;
}

/** The final outcome of a transaction that a client received. */
export interface Told {
  path: string;
  body: { transactionId: string; customer?: { customerId: string }; [field: string]: unknown };
  status: 'completed' | 'refused' | 'voided';
  /** The first response; null where it never arrived. */
  answer: string | null;
  /** What staff have refunded of a redemption. Its response stays as it is. */
  refunded?: number;
}

type Job = Pick<Told, 'path' | 'body'>;

export const topUpPath = '/transactions/stored-value/top-up';
export const redeemPath = '/transactions/stored-value/redeem';
export const salePath = '/sales';

/** Counts of events. */
export interface Tally {
  redemptions: number;
  topUps: number;
  sales: number;
  /** Open bills, from their first revision to their end. */
  bills: number;
  partsPaidAtTill: number;
  partsRefunded: number;
  billsReopened: number;
  voids: number;
  refused: number;
  voidsRefused: number;
  replays: number;
  settledByRetry: number;
  settledByLookUp: number;
  settledByVoid: number;
  settledByQueue: number;
  voidedUnseen: number;
}

export const newTally = (): Tally => ({
  redemptions: 0,
  topUps: 0,
  sales: 0,
  bills: 0,
  partsPaidAtTill: 0,
  partsRefunded: 0,
  billsReopened: 0,
  voids: 0,
  refused: 0,
  voidsRefused: 0,
  replays: 0,
  settledByRetry: 0,
  settledByLookUp: 0,
  settledByVoid: 0,
  settledByQueue: 0,
  voidedUnseen: 0,
});

/** The state that the clients share. */
export interface Shop {
  /** The few customers of most transactions. */
  hot: string[];
  cold: string[];
  packageId: string;
  told: Told[];
  tally: Tally;
  complaints: Complaint[];
  /** Refunds a part of a redemption, as staff do, however often it takes. False: there was no time left. */
  refundPart(transactionId: string, amount: number): Promise<boolean>;
  /** True when nothing new should start. */
  isDone(): boolean;
  /** When to give up, on `performance.now()`'s clock. */
  deadline: number;
}

/** Sends one request; without a response within 5 seconds, its outcome is unknown. */
export async function sendRequest(
  { origin, key }: Pos,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<Answer> {
  try {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      signal: AbortSignal.timeout(5_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { status, headers } = response;
    const isReplay = headers.get('idempotent-replayed') === 'true';
    return { status, text: await response.text(), retryAfter: headers.get('retry-after'), isReplay };
  } catch {
    return { status: null, text: '', retryAfter: null, isReplay: false };
  }
}

/** A transaction, and a till's draw of the next one. */
export function jobMaker({ hot, cold, packageId }: Shop, name: string, random: () => number): () => Job {
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  let serial = 0;
  return () => {
    serial += 1;
    const transactionId = `${name}-${serial}`;
    const customer = { customerId: pick(random() < 0.7 ? hot : cold) };
    if (random() < 0.27) return { path: topUpPath, body: { transactionId, customer, packageId } };
    const body = { transactionId, customer, amount: 100 + Math.floor(random() * 1_900), allowPartial: random() < 0.1 };
    return { path: redeemPath, body };
  };
}

const countOf: Record<string, 'topUps' | 'sales'> = { [topUpPath]: 'topUps', [salePath]: 'sales' };

/** Counts a transaction whose outcome a till was told. */
export function noteOutcome({ told, tally }: Shop, outcome: Told): void {
  told.push(outcome);
  if (outcome.status === 'refused') tally.refused += 1;
  if (outcome.status === 'completed') tally[countOf[outcome.path] ?? 'redemptions'] += 1;
}

/** Runs one till, until the shop is done and the outcome of everything it sent is known. */
export function startClient(
  shop: Shop,
  { origin, key: apiKey }: Pos,
  name: string,
  random: () => number,
): Promise<void> {
  const { tally, complaints } = shop;
  /** Gives up after one attempt, so that the till chooses how to go on; and one that goes on for some time. */
  const once = createClient({ origin, apiKey, giveUpAfterMs: 0 });
  const patient = createClient({ origin, apiKey, giveUpAfterMs: 10_000 });
  const newJob = jobMaker(shop, name, random);
  /** This till's transactions that it may void. */
  const open: Told[] = [];

  /** Waits as long as the service asked, where there was no outcome. */
  async function rest(error: unknown): Promise<void> {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    await wait(error.retryAfterMs);
  }

  /** Resends, looks up or voids a transaction until its outcome is known; null: it never was. */
  async function settle(job: Job): Promise<Told | null> {
    const drawn = random();
    const otherWay = drawn < 0.25 ? findOut : drawn < 0.5 ? abandon : null;
    for (let isAgain = false; performance.now() < shop.deadline; isAgain = true) {
      const client = isAgain && !otherWay ? patient : once;
      try {
        const { data, error, response } = await client.POST(job.path as typeof redeemPath, {
          body: job.body as unknown as RedeemStoredValueRequest,
        });
        if (response.headers.has('idempotent-replayed')) tally.replays += 1;
        if (isAgain) tally.settledByRetry += 1;
        return { ...job, status: data ? 'completed' : 'refused', answer: JSON.stringify(data ?? error) };
      } catch (error) {
        await rest(error);
      }
      const found = await otherWay?.(job).catch(rest);
      if (found) return found;
    }
    return null;
  }

  async function findOut(job: Job): Promise<Told | null> {
    const found = await lookUp(once, job.body.transactionId);
    if (!found) return null;
    tally.settledByLookUp += 1;
    return { ...job, status: found.status, answer: found.answer && JSON.stringify(found.answer) };
  }

  /** Voids a transaction of unknown outcome. Null: it cannot be voided, because its value was spent. */
  async function abandon(job: Job): Promise<Told | null> {
    const results = await voidAll([job.body.transactionId]);
    if (!results) return null;
    tally.settledByVoid += 1;
    if (results[0]?.status === 'not_found') tally.voidedUnseen += 1;
    return { ...job, status: 'voided', answer: null };
  }

  /** Resends a void until there is a response; null: refused. */
  async function voidAll(transactionIds: string[]): Promise<{ status: string }[] | null> {
    while (performance.now() < shop.deadline) {
      try {
        return await giveUp(patient, transactionIds);
      } catch (error) {
        if (error instanceof RefusedError) return null;
        await rest(error);
      }
    }
    complaints.push({ rule: 'an outcome stayed unknown', found: `the void of ${transactionIds}` });
    return null;
  }

  async function transact(): Promise<void> {
    const job = newJob();
    const outcome = await settle(job);
    if (!outcome) return void complaints.push({ rule: 'an outcome stayed unknown', found: job.body.transactionId });
    noteOutcome(shop, outcome);
    if (outcome.status === 'completed') open.push(outcome);
  }

  async function voidSome(): Promise<void> {
    const some = open.splice(Math.floor(random() * open.length), 1 + Math.floor(random() * 3));
    const results = await voidAll(some.map(({ body }) => body.transactionId));
    tally[results ? 'voids' : 'voidsRefused'] += 1;
    if (results) for (const one of some) one.status = 'voided';
  }

  const work = async () => {
    while (!shop.isDone()) await (open.length > 3 && random() < 0.3 ? voidSome() : transact());
  };
  return work();
}
