/**
 * `--only soak`: hours of use condensed. The whole service under a moderate load, with screens that open and close:
 * nothing may grow.
 */
import { existsSync } from 'node:fs';
import postgres from 'postgres';
import { StartupError } from '@/db/startup-error';
import { copyOfSeeded, type Say, seededDatabase, withServer } from '../database';
import { inFull } from '../pace';
import { type Order, type Sender, startSender } from '../rest/load';
import { bundleProcesses } from '../rest/processes';
import { createReport, type Report } from '../rest/report';
import { openStage } from '../rest/stage';
import type { Size } from '../seed';
import { type Kind, most, openScreens, type Screens } from './screens';
import { type SoakedService, startProbedService } from './service';

const sampleSeconds = inFull(20, 0.5);
const perSecond = 100;
/** One request in twenty redeems a voucher. */
const vouchersPerSecond = perSecond / 20;
/** Compares the last third with the one before; the first third is warm-up. */
const target = 1.05;
/** The minimum share of open screens at any moment: some are just reconnecting. */
const minOpenShare = 0.75;
/** The minimum share of changes, one per second, that a screen receives; two at once are sent as one. */
const minReceivedShare = 0.5;
const kinds: Kind[] = ['tables', 'offices'];

/** The sampled values, each a series of its own. */
type Series = Record<string, number>;

interface Soak {
  service: SoakedService;
  sender: Sender;
  screens: Screens;
  owner: postgres.Sql;
}

/** Prints a line each minute and the growth of each series; returns false where one grew. */
export async function measureSoak(size: Size, minutes: number, say: Say): Promise<boolean> {
  if (!existsSync('.next/BUILD_ID')) throw new StartupError('Not built yet: run npm run build.');
  await withServer(false, (server) => seededDatabase(server, size, say));
  await bundleProcesses();
  return withServer(true, async (server) => {
    const stage = await openStage(await copyOfSeeded(server, size), size.customers);
    const owner = postgres(stage.url, { max: 1, onnotice: () => {} });
    const supplies = await stage.supplies('soak', Math.ceil(minutes * 60 * vouchersPerSecond * 1.5));
    const stops: (() => unknown)[] = [() => owner.end(), stage.close];
    try {
      const service = await startProbedService(stage.url);
      stops.push(service.stop);
      const sender = startSender('load-process', { supplies });
      stops.push(sender.stop);
      const screens = await openScreens({ origin: service.origin, key: stage.key }, owner);
      stops.push(screens.stop);
      const report = createReport(say);
      judge(await takeSamples({ service, sender, screens, owner }, minutes, report), report);
      return report.conclude();
    } finally {
      for (const stop of stops.reverse()) await stop();
    }
  });
}

async function takeSamples(soak: Soak, minutes: number, report: Report): Promise<Series[]> {
  const samples: Series[] = [];
  const count = inFull(Math.round((minutes * 60) / sampleSeconds), 3);
  for (let n = 1; n <= count; n++) {
    const sample = await takeSample(soak);
    samples.push(sample);
    if (n === 1) report.row(['minute', ...Object.keys(sample)]);
    if ((n * sampleSeconds) % 60 === 0) report.row([String((n * sampleSeconds) / 60), ...Object.values(sample)]);
  }
  return samples;
}

async function takeSample({ service, sender, screens, owner }: Soak): Promise<Series> {
  const order = {
    load: 'mixed',
    clients: 10,
    seconds: sampleSeconds,
    perSecond,
    origins: [service.origin],
  } satisfies Order;
  const receivedBefore = kinds.map((kind) => screens.received(kind));
  const began = performance.now();
  const sent = await sender.send(order);
  const seconds = (performance.now() - began) / 1_000;
  const [row] = await owner<[{ all: number; listening: number }]>`
    select count(*)::int as all, count(*) filter (where query ilike 'listen%')::int as listening from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const series: Series = { 'req/s': sent.perSecond, 'p99 ms': sent.p99 };
  for (const [n, kind] of kinds.entries()) {
    series[kind] = screens.open(kind);
    series[`${kind}/s`] = (screens.received(kind) - (receivedBefore[n] ?? 0)) / seconds;
  }
  for (const [name, { rss, heapUsed, delayMs, open }] of Object.entries(await service.sample())) {
    const short = name === 'next' ? 'next' : 'door';
    series[`${short} MB`] = rss / 1024 / 1024;
    series[`${short} heap`] = heapUsed / 1024 / 1024;
    series[`${short} ms`] = delayMs;
    series[`${short} files`] = open;
  }
  return { ...series, connections: row.all, listening: row.listening };
}

function judge(samples: Series[], report: Report): void {
  const third = Math.floor(samples.length / 3);
  const mean = (name: string, from: number) =>
    samples.slice(from, from + third).reduce((sum, sample) => sum + (sample[name] ?? 0), 0) / third;
  const [second, last] = [third, samples.length - third];
  report.say('\nThe last third against the second');
  const growing = ['MB', 'heap', 'files'].flatMap((what) => [`door ${what}`, `next ${what}`]);
  for (const name of [...growing, 'connections', 'listening']) {
    const slope = ((mean(name, last) - mean(name, second)) * 3_600) / (third * sampleSeconds);
    report.atMost(`${name} (${slope.toFixed(1)} per hour)`, mean(name, last) / mean(name, second), target);
  }
  const least = (name: string, from = 0) => Math.min(...samples.slice(from).map((sample) => sample[name] ?? 0));
  report.atLeast('requests per second, in the slowest sample', least('req/s'), perSecond * 0.9);
  for (const kind of kinds) {
    report.atLeast(`open screens (${kind}), minimum of the last third`, least(kind, last), most[kind] * minOpenShare);
    report.atLeast(
      `updates per second (${kind}), minimum of all samples`,
      least(`${kind}/s`),
      most[kind] * minReceivedShare,
    );
  }
}
