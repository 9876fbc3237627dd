/**
 * The bank test: tills top up, redeem and void while PostgreSQL and the service are killed periodically and the network
 * loses responses. At the end, the ledger must match exactly what each till was told.
 */
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { createCustomer, createFixedPackage, createMerchant } from '@/server/testing/factory';
import { randomFrom } from '@/server/testing/random';
import { askAgain, auditLedger } from './audit';
import { auditAnswers, type Outages, resumptionsMs } from './audit-answers';
import { startBillTill } from './bill-till';
import { newTally, type Shop, startClient, type Tally } from './clients';
import type { Complaint } from './complaints';
import { type LossyProxy, startLossyProxy } from './lossy-proxy';
import { startOfflineTill } from './offline-till';
import { type Readers, startReaders } from './readers';
import { startRefunds } from './refunds';
import type { Patch } from './rest-build';
import {
  eventually,
  type Outage,
  startDatabase,
  startRestService,
  type VictimDatabase,
  type VictimService,
} from './victims';

/** The minimum of events: a run continues until all have happened. */
export interface Size {
  clients: number;
  /** Redemptions, top-ups and voids together. */
  transactions: number;
  /** Originals that came after their void. */
  lateOriginals: number;
  /** Kills of PostgreSQL, every 5 seconds, and of the service, every 7. */
  kills: { database: number; service: number };
  /** A run that takes longer has failed. */
  maxSeconds: number;
}

/** The subject of a run: the service with these patches, on a database with this SQL. */
export interface Subject {
  patches: Patch[];
  sql: string[];
}

export const asItIs: Subject = { patches: [], sql: [] };

export interface Report {
  /** Empty: the run has passed. */
  complaints: Complaint[];
  /** Figures of the run, to print. */
  figures: Record<string, string | number>;
}

const databaseKillMs = 5_000;
const serviceKillMs = 7_000;
const hotCustomers = 4;
/** The limit as a multiple of the minimum: after it, kills stop, so that a slow machine can make progress. */
const maxKillsFactor = 3;
/** How long tills may take to settle unknown outcomes after the last kill. */
const settlingMs = 60_000;
/** Some of their originals arrive late. */
const minVoidedUnseen = 5;
/** Each happens to an open bill as often. */
const billSteps = ['partsPaidAtTill', 'partsRefunded', 'billsReopened'] as const;
const minOfBills = ({ transactions }: Size): number => Math.ceil(transactions / 1_000);
/** The number of responses requested again at the end. */
const maxAskedAgain = 200;

/**
 * Runs the bank test. `seed` decides what tills do and what the network loses; the timing depends on the machine.
 * Errors: the signal's reason, where it is interrupted; it cleans up in any case.
 */
export async function runBank(
  size: Size,
  seed: number,
  subject: Subject,
  signal = new AbortController().signal,
): Promise<Report> {
  const database = await startDatabase();
  const owner = postgres(database.url, { max: 3, onnotice: () => {} });
  try {
    for (const statement of subject.sql) await owner.unsafe(statement);
    const service = await startPair(database.url, subject.patches);
    const proxy = await startLossyProxy(service.origins, randomFrom(seed));
    try {
      return await run(size, seed, { database, owner, service, proxy, signal });
    } finally {
      await proxy.stop();
      await service.stop();
    }
  } finally {
    await owner.end({ timeout: 1 });
    await database.stop();
  }
}

interface Pair extends Pick<VictimService, 'outages' | 'kill' | 'restart' | 'stop'> {
  origins: string[];
  unplannedExits(): string[];
  /** What failed for a request, as the log of the one that had it says. */
  faultOf(requestId: string): string;
}

/** Two processes of the service, killed together: neither knows the other's memory. */
async function startPair(databaseUrl: string, patches: Patch[]): Promise<Pair> {
  const services = await Promise.all([startRestService(databaseUrl, patches), startRestService(databaseUrl, patches)]);
  const outages: Outage[] = [];
  return {
    origins: services.map(({ origin }) => origin),
    outages,
    unplannedExits: () => services.flatMap(({ unplannedExits }) => unplannedExits),
    faultOf: (requestId) => services.map((service) => service.faultOf(requestId)).join(''),
    kill: () => {
      outages.push({ from: performance.now(), to: Number.POSITIVE_INFINITY });
      for (const service of services) service.kill();
    },
    restart: async () => {
      await Promise.all(services.map((service) => service.restart()));
      (outages.at(-1) as Outage).to = performance.now();
    },
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}

interface Scene {
  database: VictimDatabase;
  owner: postgres.Sql;
  service: Pair;
  proxy: LossyProxy;
  signal: AbortSignal;
}

async function run(size: Size, seed: number, { database, owner, service, proxy, signal }: Scene): Promise<Report> {
  const { shop, key, phones, merchantId } = await openShop(owner, size);
  const { tally, complaints } = shop;
  const refunds = await startRefunds(owner, { url: database.url, merchantId });
  shop.refundPart = (transactionId, amount) => refunds.refund(shop, transactionId, amount);
  const started = performance.now();
  const end = started + size.maxSeconds * 1_000;
  shop.deadline = end + settlingMs;
  const isEnough = () =>
    tally.redemptions + tally.topUps + tally.voids >= size.transactions &&
    tally.voidedUnseen >= minVoidedUnseen &&
    billSteps.every((step) => tally[step] >= minOfBills(size)) &&
    proxy.lateAndVoided >= size.lateOriginals &&
    database.outages.length >= size.kills.database &&
    service.outages.length >= size.kills.service;
  shop.isDone = () => isEnough() || performance.now() > end || signal.aborted;
  signal.addEventListener('abort', () => {
    shop.deadline = 0;
  });

  const pos = { origin: proxy.origin, key };
  const tills = Array.from({ length: size.clients }, (_, n) =>
    tillOf(n)(shop, pos, `till-${n}`, randomFrom(seed + 1 + n)),
  );
  const readers = startReaders({ pos, owner, phones, complaints, isDone: shop.isDone });
  await Promise.all([
    ...tills,
    readers.finished,
    killEvery(
      databaseKillMs,
      database,
      () => shop.isDone() || database.outages.length >= maxKillsFactor * size.kills.database,
    ),
    killEvery(
      serviceKillMs,
      service,
      () => shop.isDone() || service.outages.length >= maxKillsFactor * size.kills.service,
    ),
  ]);
  await refunds.stop();
  signal.throwIfAborted();
  const seconds = (performance.now() - started) / 1_000;
  await proxy.settled();

  const step = Math.ceil(shop.told.length / maxAskedAgain);
  const sample = shop.told.filter((_, n) => n % step === 0);
  const outages = { database: database.outages, service: service.outages };
  const answers = auditAnswers(proxy.passages, outages, service.faultOf);
  complaints.push(
    ...(await eventually(() => auditLedger(owner, shop.told), 5_000)),
    ...(await askAgain({ origin: service.origins[0] as string, key }, sample)),
    ...answers.complaints,
    ...service.unplannedExits().map((found): Complaint => ({ rule: 'a process ended by itself', found })),
    ...missing(size, tally, readers, proxy, outages),
  );
  const figures = {
    seconds: Math.round(seconds),
    ...tally,
    databaseKills: database.outages.length,
    serviceKills: service.outages.length,
    requests: proxy.passages.length,
    answersLost: proxy.fates.lost + proxy.fates.cut + proxy.fates.silent,
    requestsLate: proxy.fates.late,
    requestsTwice: proxy.fates.twice,
    lateAndVoided: proxy.lateAndVoided,
    balancesReadOverRest: readers.reads.rest,
    balancesReadInSql: readers.reads.sql,
    answersAskedForAgain: sample.length,
    answersTooLate: answers.late,
    longestAnswerMs: longestOf(proxy.passages.filter(({ status }) => status !== null)),
    longestDatabaseOutageMs: longestOf(database.outages),
    longestServiceOutageMs: longestOf(service.outages),
    longestResumptionMs: Math.max(0, ...resumptionsMs(proxy.passages, outages)),
  };
  return { complaints, figures };
}

/** Of eight tills, two work offline and one has open bills. */
const tillOf = (n: number) => (n % 4 === 0 ? startOfflineTill : n % 8 === 1 ? startBillTill : startClient);

const longestOf = (times: Outage[]) => times.reduce((most, { from, to }) => Math.max(most, Math.round(to - from)), 0);

async function openShop(owner: postgres.Sql, { transactions }: Size) {
  const merchant = await createMerchant(owner);
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 2_000, bonus: 500 });
  const customers = [];
  for (let n = 0; n < hotCustomers + Math.ceil(transactions / 50); n++) {
    customers.push(await createCustomer(owner, merchant.id));
  }
  const [hot, cold] = [customers.slice(0, hotCustomers), customers.slice(hotCustomers)];
  const shop: Shop = {
    hot: hot.map(({ id }) => id),
    cold: cold.map(({ id }) => id),
    packageId,
    told: [],
    tally: newTally(),
    complaints: [],
    refundPart: async () => false,
    isDone: () => false,
    deadline: 0,
  };
  const [{ key }] = merchant.stores;
  return { shop, key, phones: hot.map(({ phone }) => phone), merchantId: merchant.id };
}

/**
 * Kills at multiples of `ms` and restarts at once; on a machine so slow that the victim was down for long, half as
 * often.
 */
async function killEvery(ms: number, victim: Pick<Pair, 'kill' | 'restart'>, isDone: () => boolean) {
  const started = performance.now();
  for (let back = started; !isDone(); ) {
    const next = started + ms * Math.ceil((back + ms / 2 - started) / ms);
    while (performance.now() < next && !isDone()) await wait(20);
    if (isDone()) return;
    victim.kill();
    await victim.restart();
    back = performance.now();
  }
}

/** Events that happened too seldom for the run to prove anything. */
function missing(size: Size, tally: Tally, { reads }: Readers, proxy: LossyProxy, outages: Outages): Complaint[] {
  const share = (part: number) => Math.ceil(size.transactions * part);
  const done = tally.redemptions + tally.topUps + tally.voids;
  const least: Record<string, [number, number]> = {
    transactions: [done, size.transactions],
    redemptions: [tally.redemptions, share(0.2)],
    'top-ups': [tally.topUps, share(0.1)],
    voids: [tally.voids, share(0.05)],
    refusals: [tally.refused, share(0.02)],
    replays: [tally.replays, share(0.02)],
    'outcomes settled by a retry': [tally.settledByRetry, share(0.02)],
    'outcomes settled by a look-up': [tally.settledByLookUp, share(0.01)],
    'outcomes settled by a void': [tally.settledByVoid, share(0.01)],
    'outcomes of a queue': [tally.settledByQueue, share(0.02)],
    sales: [tally.sales, share(0.01)],
    'open bills': [tally.bills, share(0.005)],
    ...Object.fromEntries(billSteps.map((step) => [step, [tally[step], minOfBills(size)] as [number, number]])),
    'ids voided unseen': [tally.voidedUnseen, minVoidedUnseen],
    'late originals of a void': [proxy.lateAndVoided, size.lateOriginals],
    'kills of PostgreSQL': [outages.database.length, size.kills.database],
    'kills of the service': [outages.service.length, size.kills.service],
    'answers of 503': [proxy.passages.filter(({ status }) => status === 503).length, size.kills.database],
    'balances read over REST': [reads.rest, share(0.05)],
    'balances read in SQL': [reads.sql, share(0.05)],
  };
  return Object.entries(least).flatMap(([what, [was, wanted]]): Complaint[] =>
    was >= wanted ? [] : [{ rule: 'too little happened', found: `${was} ${what}, ${wanted} are wanted` }],
  );
}
