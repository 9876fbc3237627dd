/**
 * `npm run proof:patroni`: three PostgreSQL under Patroni with etcd, two instances of the service behind PgBouncer and
 * HAProxy, each on a machine of its own, and 64 tills. Machines, programs and cables fail one after the other. Each time,
 * all has to go on by itself, nothing acknowledged may be lost or doubled, and no two servers may accept writes.
 * `-- --asynchronous` replicates without waiting: a leader that is cut off then accepts what is lost, and the proof has to
 * fail.
 */
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { readOptions, run } from '@/server/cli/run';
import { askAgain, auditLedger } from '../chaos/audit';
import type { Pos } from '../chaos/clients';
import { startRestService, type VictimService } from '../chaos/victims';
import { serviceEnvironment } from '../fixtures/service-environment';
import type { Site } from './cluster';
import { inSeconds, runDrill, say } from './drill';
import { ensurePackages, type Ha, type Roles, startHa } from './ha';
import { carryOut, type Load, setStage, startLoad, topUp } from './load';
import { type Machine, runIsolated } from './machines';
import { type Pulse, startPulse } from './pulse';
import { workerCommand, workerReturns } from './worker';
import { auditWriters, describeHistory, startWriters } from './writers';

const tills = 64;
const maxOutageMs = 15_000;
/** How long a fault lasts: long enough for a second leader, if there were one. */
const faultMs = 15_000;
const settleMs = 90_000;
/** Transactions between two faults. */
const some = 200;

/** Injects a fault. Returns how to repair what does not come back by itself; all has to go on without it. */
type Fault = (ha: Ha, roles: Roles) => (() => void) | undefined;

const faults: Record<string, Fault> = {
  "The leader's machine loses power": (_, { leader }) => {
    leader.powerOff();
    return () => leader.powerOn();
  },
  'The leader is cut off from the network': (_, { leader }) => {
    leader.unplug();
    return () => leader.plug();
  },
  "The leader's PostgreSQL and Patroni are killed": (ha, { leader }) => {
    ha.killServer(leader);
  },
  'A switch-over is requested': (ha, { leader, synchronous }) => {
    ha.switchOver(leader, synchronous);
  },
  "etcd's leader is killed": (ha) => {
    const machine = ha.etcdLeader();
    machine.kill('etcd', true);
    return () => machine.resume('etcd');
  },
  'The synchronous standby is cut off': (_, { synchronous }) => {
    synchronous.unplug();
    return () => synchronous.plug();
  },
  'The synchronous standby is stopped': (_, { synchronous }) => {
    void synchronous.stop('patroni');
    return () => synchronous.resume('patroni');
  },
  'PgBouncer is killed on both machines': ({ hosts }) => {
    for (const host of hosts) host.kill('pgbouncer');
  },
  'HAProxy is killed on both machines': ({ hosts }) => {
    for (const host of hosts) host.kill('haproxy');
  },
};

run(async () => {
  const { asynchronous } = readOptions({ asynchronous: { type: 'boolean', default: false } });
  ensurePackages();
  if (!(await runIsolated())) return;
  runDrill(
    (site) => drill(site, !asynchronous),
    'No acknowledged transaction was lost or doubled, and one server led at a time.',
  );
});

interface Drill {
  ha: Ha;
  owner: postgres.Sql;
  load: Load;
  pulses: Pulse[];
}

async function drill(site: Site, isSynchronous: boolean): Promise<string[]> {
  const { closing, password } = site;
  const ha = await startHa(site, isSynchronous);
  const { leader } = await ha.settled(settleMs);
  const writers = await startWriters(ha.servers, leader, password);
  // A server that is cut off is silent.
  const patience = { connect_timeout: 2, answer_timeout: 5 };
  const owner = postgres(ha.ownerUrl, { max: 2, target_session_attrs: 'primary', onnotice: () => {}, ...patience });
  closing.push(() => owner.end({ timeout: 1 }));
  const services = await Promise.all(ha.hosts.map((host) => startService(host, ha)));
  for (const service of services) closing.unshift(service.stop);

  const stage = await setStage(owner, services[0] as VictimService);
  const places = services.map(({ origin }) => ({ ...stage.pos, origin }));
  const first = await Promise.all(places.map((place, n) => carryOut(place, topUp(stage, `first-${n}`))));
  const tillPlaces = Array.from({ length: tills }, (_, n) => places[n % places.length] as Pos);
  const load = startLoad(stage, 'till', tillPlaces);
  load.shop.told.push(...first);
  const pulses = places.map((place) => startPulse(stage, place, load.shop.told));
  await workerReturns(owner);
  say(
    `${ha.servers.length} servers, ${places.length} instances, ${tills} tills. For each fault: the longest time without`,
  );
  say(
    'a success, until the worker ran its next job, and until all servers were well; and who leads, on which timeline.',
  );

  const findings: string[] = [];
  for (const fault of Object.entries(faults)) findings.push(...(await suffer(fault, { ha, owner, load, pulses })));
  await Promise.all([load.finish(), ...pulses.map((pulse) => pulse.stop())]);
  await writers.stop();
  const { writes } = writers;
  say(
    `Leaders: ${describeHistory(writers)}. They accepted ${writes.length} writes; ${writers.refused()} were refused.`,
  );

  const { told, complaints } = load.shop;
  const again = told.filter((_, n) => n % 20 === 0);
  const all = [...complaints, ...(await auditLedger(owner, told)), ...(await askAgain(places[0] as Pos, again))];
  const completed = told.filter(({ status }) => status === 'completed').length;
  say(`${told.length} transactions in total, ${completed} of them completed. ${again.length} were sent again.`);
  const last = await ha.settled(settleMs);
  return [
    ...findings,
    ...services.flatMap(({ unplannedExits }) => unplannedExits),
    ...(await auditWriters(writers, last.leader, password)),
    ...all.map(({ rule, found }) => `${rule}: ${found}`),
  ];
}

/** Starts an instance of the service on a machine, and a worker beside it. */
function startService(host: Machine, { settings }: Ha): Promise<VictimService> {
  const inProject = (command: string[]) => ['env', `--chdir=${process.cwd()}`, ...command];
  const env = { ...serviceEnvironment(settings) } as Record<string, string>;
  host.start({ name: 'worker', user: 'root', command: inProject(workerCommand), env });
  return startRestService(settings.DATABASE_URL, [], {
    address: host.address,
    enter: (command) => host.enter('root', inProject(command)),
    settings,
  });
}

/** Injects a fault under load, and waits until all servers are well again. Returns what took too long. */
async function suffer([title, inject]: [string, Fault], { ha, owner, load, pulses }: Drill): Promise<string[]> {
  const before = await ha.settled(settleMs);
  const from = performance.now();
  const repair = inject(ha, before);
  const worker = workerReturns(owner);
  await wait(faultMs);
  repair?.();
  const after = await ha.settled(settleMs);
  const wellMs = performance.now() - from;
  await load.more(some);
  const outageMs = Math.max(...pulses.map((pulse) => pulse.longestOutage(from)));
  const times = [outageMs, (await worker) - from, wellMs].map((ms) => inSeconds(ms).padStart(9));
  const [was, is] = [before, after].map((roles) => `${roles.leader.name} (${roles.timeline})`);
  say(`${title.padEnd(48)}${times.join('')}  ${was === is ? is : `${was} → ${is}`}`);
  return outageMs > maxOutageMs ? [`${title}: the longest time without a success was ${inSeconds(outageMs)}`] : [];
}
