/** `--only growth`: the cost of each operation with many customers against few, on one machine in one run. */
import { copyOfSeeded, type Say, seededDatabase, withServer } from '../database';
import { inFull } from '../pace';
import type { Size } from '../seed';
import { type Load, operations } from './jobs';
import { startSender } from './load';
import { type Contestant, measureInTurn, medianOf, ratioOf, type Sample } from './measure';
import { bundleProcesses, startRest } from './processes';
import { createReport, type Report } from './report';
import { openStage, type Stage } from './stage';

const rounds = inFull(7, 1);
/** So few that latency is the operation's time, not its queueing. */
const clients = 4;
const seconds = inFull(1.5, 0.2);
/** Shorter: it must not run out of earlier redemptions. */
const voidSeconds = inFull(0.75, 0.05);
const vouchers = inFull(20_000, 2_000);
const pool = 10;
const target = 1.3;

/** Prints cost and latency of both sizes, and their ratios; returns false where one exceeds its bound. */
export async function measureGrowth(few: Size, many: Size, say: Say): Promise<boolean> {
  await withServer(false, async (server) => {
    for (const size of [few, many]) await seededDatabase(server, size, say);
  });
  await bundleProcesses();
  return withServer(true, async (server) => {
    const stages: Stage[] = [];
    const stops: (() => unknown)[] = [];
    const start = async (size: Size): Promise<Contestant> => {
      const stage = await openStage(await copyOfSeeded(server, size), size.customers);
      stages.push(stage);
      const rest = await startRest(stage.url, pool);
      const sender = startSender('load-process', { supplies: await stage.supplies('growth', vouchers) });
      stops.push(sender.stop, rest.stop);
      return { sender, servers: [rest], postmasterPid: server.pid() };
    };
    try {
      const contestants = { few: await start(few), many: await start(many) };
      const report = createReport(say);
      say(`\n${many.customers} customers against ${few.customers}: medians of ${rounds} rounds, ${clients} clients`);
      report.row(['', 'CPU µs', 'ratio', 'db CPU µs', 'ratio', 'both', 'p50 ms', 'ratio']);
      for (const load of [...operations, 'mixed'] as Load[]) {
        const slice = { load, clients, seconds: load === 'void' ? voidSeconds : seconds };
        // More redemptions to void, for the machine may have been slower while they were measured.
        if (load === 'void') await measureInTurn(contestants, { load: 'redeem', clients, seconds }, rounds);
        await measureInTurn(contestants, slice, 1);
        const samples = await measureInTurn(contestants, slice, rounds);
        compare(load, samples.few, samples.many, report);
      }
      return report.conclude();
    } finally {
      for (const stop of stops) await stop();
      for (const stage of stages) await stage.close();
    }
  });
}

function compare(load: Load, few: Sample[], many: Sample[], report: Report): void {
  const ratio = (field: keyof Sample) => ratioOf(many, few, field);
  report.row([
    ...[load, medianOf(many, 'appCpu'), ratio('appCpu'), medianOf(many, 'databaseCpu'), ratio('databaseCpu')],
    ...[ratio('cpu'), medianOf(many, 'p50'), ratio('p50')],
  ]);
  report.atMost(`${load}: CPU of service and database`, ratio('cpu'), target);
  report.atMost(`${load}: latency`, ratio('p50'), target);
}
