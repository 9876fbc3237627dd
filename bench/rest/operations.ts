/** Each operation of the service against a bare server, and a bare loop, with the same statements. */
import { type Load, operations } from './jobs';
import { type Contestant, measureInTurn, medianOf, ratioOf, type Sample } from './measure';
import type { Report } from './report';

const clients = 32;
const rounds = 5;
const seconds = 1.5;
/** Shorter: it must not come to the end of what was redeemed before. */
const voidSeconds = 0.75;

interface Contestants {
  service: Contestant;
  bare: Contestant;
  loop: Contestant;
}

type Figures = Record<keyof Contestants, Sample[]>;

/** The bounds of what the whole meaning may cost beside the same statements alone. */
const targets = { throughput: 0.9, p99: 1.25, cpu: 1.25 };

/** Prints a table, and holds it against the targets. */
export async function measureOperations(contestants: Contestants, report: Report): Promise<void> {
  const figures = await takeFigures(contestants);
  report.say(
    `\nThe service and what it is held against: ${clients} clients, the loop ${contestants.loop.clients}; medians of ${rounds} rounds`,
  );
  report.row([
    '',
    'req/s',
    'x bare',
    'x loop',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'p99 x bare',
    'CPU µs',
    'x bare',
    'db CPU µs',
    'x bare',
  ]);
  for (const [load, { service, bare, loop }] of Object.entries(figures)) {
    report.row([
      ...[
        load,
        medianOf(service, 'perSecond'),
        ratioOf(service, bare, 'perSecond'),
        ratioOf(service, loop, 'perSecond'),
      ],
      ...[medianOf(service, 'p50'), medianOf(service, 'p95'), medianOf(service, 'p99'), ratioOf(service, bare, 'p99')],
      ...[medianOf(service, 'appCpu'), ratioOf(service, bare, 'appCpu')],
      ...[medianOf(service, 'databaseCpu'), ratioOf(service, bare, 'databaseCpu')],
    ]);
  }
  for (const [load, { service, bare }] of Object.entries(figures)) {
    report.atLeast(
      `${load}: throughput against the bare server`,
      ratioOf(service, bare, 'perSecond'),
      targets.throughput,
    );
    report.atMost(`${load}: p99 against the bare server`, ratioOf(service, bare, 'p99'), targets.p99);
    report.atMost(`${load}: CPU per request against the bare server`, ratioOf(service, bare, 'appCpu'), targets.cpu);
  }
}

/** Redemptions come before what voids them. */
async function takeFigures(contestants: Contestants): Promise<Record<string, Figures>> {
  const figures: Record<string, Figures> = {};
  const loads: Load[] = [...operations, 'mixed'];
  for (const load of loads) {
    const slice = { load, clients, seconds: load === 'void' ? voidSeconds : seconds };
    await measureInTurn(contestants, slice, 1);
    figures[load] = await measureInTurn(contestants, slice, rounds);
  }
  return figures;
}
