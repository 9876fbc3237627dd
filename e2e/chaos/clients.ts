/**
 * POS clients that follow the contract: until they know a transaction's outcome, they resend it unchanged, look it up,
 * or void it; and they wait as long as they are told to.
 */
import { setTimeout as wait } from 'node:timers/promises';
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
  body: { transactionId: string; customer: { customerId: string } };
  status: 'completed' | 'refused' | 'voided';
  /** The first response; null where it never arrived. */
  answer: string | null;
}

type Job = Pick<Told, 'path' | 'body'>;

/** Counts of events. */
export interface Tally {
  redemptions: number;
  topUps: number;
  voids: number;
  refused: number;
  voidsRefused: number;
  replays: number;
  settledByRetry: number;
  settledByLookUp: number;
  settledByVoid: number;
  voidedUnseen: number;
}

export const newTally = (): Tally => ({
  redemptions: 0,
  topUps: 0,
  voids: 0,
  refused: 0,
  voidsRefused: 0,
  replays: 0,
  settledByRetry: 0,
  settledByLookUp: 0,
  settledByVoid: 0,
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
  /** True when nothing new should start. */
  isDone(): boolean;
  /** When to give up, on `performance.now()`'s clock. */
  deadline: number;
}

/** Sends one request; without a response within 5 seconds, its outcome is unknown. */
export async function ask({ origin, key }: Pos, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
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

const isOutcome = ({ status }: Answer) => status !== null && status !== 429 && status < 500;

/** Waits as long as the service requests; briefly without a response. */
const pause = ({ status, retryAfter }: Answer) => wait(status === null ? 100 : Number(retryAfter ?? 1) * 1_000);

/** Runs one till, until the shop is done and the outcome of everything it sent is known. */
export function startClient(shop: Shop, pos: Pos, name: string, random: () => number): Promise<void> {
  const { tally, complaints } = shop;
  /** This till's transactions that it may void. */
  const open: Told[] = [];
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  let serial = 0;

  function newJob(): Job {
    serial += 1;
    const transactionId = `${name}-${serial}`;
    const customer = { customerId: pick(random() < 0.7 ? shop.hot : shop.cold) };
    if (random() < 0.27) {
      const body = { transactionId, customer, packageId: shop.packageId };
      return { path: '/transactions/stored-value/top-up', body };
    }
    const body = { transactionId, customer, amount: 100 + Math.floor(random() * 1_900), allowPartial: random() < 0.1 };
    return { path: '/transactions/stored-value/redeem', body };
  }

  /** Resends, looks up or voids a transaction until its outcome is known; null: it never was. */
  async function settle(job: Job): Promise<Told | null> {
    const drawn = random();
    const otherWay = drawn < 0.25 ? lookUp : drawn < 0.5 ? giveUp : null;
    let isUnknown = false;
    while (performance.now() < shop.deadline) {
      const answer = await ask(pos, 'POST', job.path, job.body);
      if (answer.isReplay) tally.replays += 1;
      if (isOutcome(answer)) {
        if (isUnknown) tally.settledByRetry += 1;
        return { ...job, status: answer.status === 200 ? 'completed' : 'refused', answer: answer.text };
      }
      if (answer.status === null) isUnknown = true;
      await pause(answer);
      const found = await otherWay?.(job);
      if (found) return found;
    }
    return null;
  }

  /** Null: not found, or no response. */
  async function lookUp(job: Job): Promise<Told | null> {
    const answer = await ask(pos, 'GET', `/transactions/${job.body.transactionId}`);
    if (answer.status !== 200) return null;
    tally.settledByLookUp += 1;
    const found = JSON.parse(answer.text);
    return { ...job, status: found.status, answer: found.answer && JSON.stringify(found.answer) };
  }

  /** Voids a transaction of unknown outcome. Null: it cannot be voided, because its value was spent. */
  async function giveUp(job: Job): Promise<Told | null> {
    const results = await voidAll([job.body.transactionId]);
    if (!results) return null;
    tally.settledByVoid += 1;
    if (results[0]?.status === 'not_found') tally.voidedUnseen += 1;
    return { ...job, status: 'voided', answer: null };
  }

  /** Resends a void until there is a response; null: refused. */
  async function voidAll(transactionIds: string[]): Promise<{ status: string }[] | null> {
    while (performance.now() < shop.deadline) {
      const answer = await ask(pos, 'POST', '/transactions/void', { transactionIds });
      if (isOutcome(answer)) return answer.status === 200 ? JSON.parse(answer.text).results : null;
      await pause(answer);
    }
    complaints.push({ rule: 'an outcome stayed unknown', found: `the void of ${transactionIds}` });
    return null;
  }

  async function transact(): Promise<void> {
    const job = newJob();
    const told = await settle(job);
    if (!told) return void complaints.push({ rule: 'an outcome stayed unknown', found: job.body.transactionId });
    shop.told.push(told);
    if (told.status === 'refused') tally.refused += 1;
    if (told.status !== 'completed') return;
    tally['packageId' in job.body ? 'topUps' : 'redemptions'] += 1;
    open.push(told);
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
