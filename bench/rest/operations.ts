/** Each operation of the service against a bare server, and a bare loop, with the same statements. */
import { inFull } from '../pace';
import { type Load, operations } from './jobs';
import { type Contestant, measureInTurn, medianOf, ratioOf, type Sample } from './measure';
import type { Report } from './report';

const clients = inFull(32, 4);
const rounds = inFull(5, 1);
const seconds = inFull(1.5, 0.2);
/** Shorter: it must not run out of earlier redemptions. */
const voidSeconds = inFull(0.75, 0.05);

interface Contestants {
  service: Contestant;
  bare: Contestant;
  loop?: Contestant;
}

type Figures = Record<'service' | 'bare', Sample[]> & { loop?: Sample[] };

/** The bounds of the service's cost relative to the bare statements. */
const targets = { throughput: 0.9, p99: 1.25, cpu: 1.25 };
const targetsOfMany = { throughput: 1, p99: 1.1, cpu: 1.25 };

/** Tills of one merchant: each operation, and a mixed day. Redemptions come before the voids of them. */
export async function measureOperations(contestants: Required<Contestants>, report: Report): Promise<void> {
  const title = `The service against the bare server and the loop: ${clients} clients, ${contestants.loop.clients} for the loop`;
  await measureLoads(contestants, [...operations, 'mixed'], report, title);
}

/** Tills of that many merchants: each request of a client is for another one. */
export async function measureMerchantsAtOnce(count: number, contestants: Contestants, report: Report): Promise<void> {
  const loads: Load[] = ['balances', 'redeem', 'sale', 'mixed'];
  await measureLoads(contestants, loads, report, `${count} merchants, ${clients} clients`, targetsOfMany);
}

/** What events cost: a merchant that records all of them, against one that records none, on the same service. */
export async function measureEvents(
  contestants: Record<'recording' | 'quiet', Contestant>,
  report: Report,
): Promise<void> {
  report.say(`\nA merchant that records all events against one that records none; medians of ${rounds} rounds`);
  report.row(['', 'req/s', 'x none', 'CPU µs', 'x none', 'db CPU µs', 'x none']);
  for (const load of ['redeem', 'sale'] as const) {
    const slice = { load, clients, seconds };
    await measureInTurn(contestants, slice, 1);
    const { recording, quiet } = await measureInTurn(contestants, slice, rounds);
    const figures = (['perSecond', 'appCpu', 'databaseCpu'] as const).flatMap((field) => [
      medianOf(recording, field),
      ratioOf(recording, quiet, field),
    ]);
    report.row([load, ...figures]);
    report.atLeast(`${load}: throughput with events`, ratioOf(recording, quiet, 'perSecond'), targets.throughput);
  }
}

/** Prints a table, and compares it with the targets. */
async function measureLoads(
  contestants: Contestants,
  loads: Load[],
  report: Report,
  title: string,
  bounds = targets,
): Promise<void> {
  const figures: [Load, Figures][] = [];
  for (const load of loads) {
    const slice = { load, clients, seconds: load === 'void' ? voidSeconds : seconds };
    const all = { ...contestants } as Record<keyof Contestants, Contestant>;
    // More redemptions to void, for the machine may have been slower while they were measured.
    if (load === 'void') await measureInTurn(all, { load: 'redeem', clients, seconds: inFull(1.5, 1) }, 1);
    await measureInTurn(all, slice, 1);
    figures.push([load, await measureInTurn(all, slice, rounds)]);
  }
  report.say(`\n${title}; medians of ${rounds} rounds`);
  report.row([
    ...['', 'req/s', 'x bare', 'x loop', 'p50 ms', 'p95 ms', 'p99 ms', 'p99 x bare'],
    ...['CPU µs', 'x bare', 'db CPU µs', 'x bare'],
  ]);
  for (const [load, { service, bare, loop }] of figures) {
    report.row([
      ...[load, medianOf(service, 'perSecond'), ratioOf(service, bare, 'perSecond')],
      loop ? ratioOf(service, loop, 'perSecond') : '',
      ...[medianOf(service, 'p50'), medianOf(service, 'p95'), medianOf(service, 'p99'), ratioOf(service, bare, 'p99')],
      ...[medianOf(service, 'appCpu'), ratioOf(service, bare, 'appCpu')],
      ...[medianOf(service, 'databaseCpu'), ratioOf(service, bare, 'databaseCpu')],
    ]);
  }
  for (const [load, { service, bare }] of figures) {
    const ratio = (field: keyof Sample) => ratioOf(service, bare, field);
    report.atLeast(`${load}: throughput against the bare server`, ratio('perSecond'), bounds.throughput);
    report.atMost(`${load}: p99 against the bare server`, ratio('p99'), bounds.p99);
    report.atMost(`${load}: CPU per request against the bare server`, ratio('appCpu'), bounds.cpu);
  }
}
