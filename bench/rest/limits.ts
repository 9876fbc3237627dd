/** The service at its limits: one balance for all redemptions, a second process, and a long-running one. */
import { availableParallelism } from 'node:os';
import { inFull } from '../pace';
import { type Contestant, measureContestant, measureInTurn, median, medianOf, ratioOf } from './measure';
import type { RunningServer } from './processes';
import type { Report } from './report';
import { memoryMb } from './usage';

const rounds = inFull(5, 1);
const clients = 32;
const seconds = inFull(1.5, 0.1);
/** More rounds, because at most a twentieth may be lost. */
const roundsOfTwo = inFull(9, 1);
const warmUpSeconds = inFull(6, 0.1);

export async function measureHotBalance(service: Contestant, report: Report): Promise<void> {
  report.say('\nOne balance, 64 clients');
  const { hot } = await measureInTurn({ hot: service }, { load: 'hot', clients: 64, seconds }, rounds);
  report.atLeast('redemptions per second of one balance', medianOf(hot, 'perSecond'), 600);
  report.atMost('p99 of one balance, seconds', medianOf(hot, 'p99') / 1_000, 0.5);
}

/** Cores that two processes, the load and the database need at once; on fewer, two lose nothing at best. */
const coresOfTwo = 6;
const leastOfTwo = availableParallelism() >= coresOfTwo ? 1.5 : 0.95;

/** The second process is warmed up like the first before it is measured. */
export async function measureTwoProcesses(one: Contestant, second: RunningServer, report: Report): Promise<void> {
  report.say('\nTwo REST processes against one');
  const two = { ...one, servers: [...one.servers, second] };
  for (const load of ['balances', 'redeem'] as const) {
    await measureContestant({ ...one, servers: [second] }, { load, clients, seconds: warmUpSeconds });
    const samples = await measureInTurn({ one, two }, { load, clients, seconds }, roundsOfTwo);
    report.atLeast(`${load}: two processes against one`, ratioOf(samples.two, samples.one, 'perSecond'), leastOfTwo);
  }
}

const early = inFull(50_000, 50);
const late = inFull(500_000, 500);
/** A slow machine does not reach the count: then measures as many as it serves in this time. */
const maxMs = 90_000;

/** Compares the cost of a request after many earlier ones with that after few. */
export async function measureAgeing(service: Contestant, report: Report): Promise<void> {
  report.say(`\nAgeing of a process: after ${late} requests (or ${maxMs / 1_000} s) against after ${early}`);
  const start = performance.now();
  let answered = 0;
  const at = async (count: number) => {
    while (answered < count && performance.now() - start < maxMs) {
      answered += (await measureContestant(service, { load: 'balances', clients, seconds: inFull(4, 0.1) })).requests;
    }
    const samples = [];
    for (let round = 0; round < 3; round++)
      samples.push(await measureContestant(service, { load: 'balances', clients, seconds }));
    answered += samples.reduce((sum, { requests }) => sum + requests, 0);
    const [pid] = service.servers.map((server) => server.pid) as [number];
    return { cpu: median(samples.map(({ appCpu }) => appCpu)), memory: memoryMb(pid), answered };
  };
  const young = await at(early);
  const old = await at(late);
  report.say(`       measured after ${young.answered} and after ${old.answered} requests`);
  report.atLeast('requests answered, late against early', old.answered / young.answered, 2);
  report.atMost('CPU per request, late against early', old.cpu / young.cpu, 1.2);
  report.atMost('memory of the REST process, MB', old.memory, 200);
  report.atMost('memory, late against early', old.memory / young.memory, 1.2);
}
