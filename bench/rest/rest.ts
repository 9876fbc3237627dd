/** `--only rest`: the speed of the REST process, compared with the same statements without it. */

import postgres from 'postgres';
import type { EmbeddedServer } from '@/db/operations/embedded';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { recordingEvents } from '@/server/testing/factory';
import { copyOfSeeded, type Say, seededDatabase, withServer } from '../database';
import { inFull } from '../pace';
import type { Size } from '../seed';
import type { BareSettings } from './bare';
import { measureAgeing, measureHotBalance, measureTwoProcesses } from './limits';
import { type LoadSettings, startSender } from './load';
import type { Contestant } from './measure';
import { measureEvents, measureMerchantsAtOnce, measureOperations } from './operations';
import { addMerchants, type Merchants } from './other-merchants';
import { comparePgbench } from './pgbench';
import { bundleProcesses, type RunningServer, startBare, startRest } from './processes';
import { createReport, type Report } from './report';
import { openStage, type Stage } from './stage';

/** Database connections per process. */
const pool = 10;
/** Each has its own connection. */
const loopClients = 8;
/** More than all slices of a contestant redeem. */
const vouchers = inFull(40_000, 2_000);
const single: Merchants = { merchants: 1, customers: 200, vouchers: 0 };
/** Many merchants at once: few customers suffice where two requests are seldom for the same merchant. */
const many: Merchants[] = [
  { merchants: inFull(32, 2), customers: 200, vouchers: inFull(200, 1_000) },
  { merchants: inFull(1_000, 4), customers: 25, vouchers: inFull(25, 500) },
];

type Measure = (race: Race, report: Report) => Promise<void>;

/** Prints all figures with their targets; returns false where one is missed. */
export const measureRest = (size: Size, say: Say) => measureOn(size, say, measureAll);

/** `--only merchants`: many merchants beside one, as short as it can be. */
export const measureMerchants = (size: Size, say: Say) => measureOn(size, say, measureMerchantsOf);

async function measureOn(size: Size, say: Say, measure: Measure): Promise<boolean> {
  await withServer(false, (server) => seededDatabase(server, size, say));
  await bundleProcesses();
  return withServer(true, async (server) => {
    const report = createReport(say);
    const stage = await openStage(await copyOfSeeded(server, size), size.customers);
    try {
      await race(server, stage, (contestants) => measure(contestants, report));
      await checkLedger(stage, report);
    } finally {
      await stage.close();
    }
    return report.conclude();
  });
}

/** Servers that are up, and what is measured against them. */
interface Race {
  stage: Stage;
  rest: RunningServer;
  bareServer: RunningServer;
  bareSettings: BareSettings;
  contestant(servers: Contestant['servers'], settings: LoadSettings): Contestant;
  /** Runs until the end. */
  startAnother(): Promise<RunningServer>;
}

async function race(server: EmbeddedServer, stage: Stage, run: (race: Race) => Promise<void>): Promise<void> {
  const { url, statements } = stage;
  const bareSettings = { url, statements, pool };
  const stops: (() => unknown)[] = [];
  const contestant = (servers: Contestant['servers'], settings: LoadSettings): Contestant => {
    const sender = startSender(settings.bare ? 'loop-process' : 'load-process', settings);
    stops.push(sender.stop);
    return { sender, servers, postmasterPid: server.pid() };
  };
  const startAnother = async () => {
    const one = await startRest(url, pool);
    stops.push(one.stop);
    return one;
  };
  try {
    const rest = await startAnother();
    const bareServer = await startBare(bareSettings);
    stops.push(bareServer.stop);
    await run({ stage, rest, bareServer, bareSettings, contestant, startAnother });
  } finally {
    for (const stop of stops) await stop();
  }
}

async function measureAll(race: Race, report: Report): Promise<void> {
  const { stage, rest, bareServer, bareSettings, contestant, startAnother } = race;
  /** A load on one merchant, with its own supplies. */
  const ofOne = async (name: string): Promise<LoadSettings> => ({ supplies: await stage.supplies(name, vouchers) });
  const service = contestant([rest], await ofOne('service'));
  const bare = contestant([bareServer], await ofOne('bare'));
  const loopSettings = { ...(await ofOne('loop')), bare: { ...bareSettings, pool: loopClients } };
  const loop = { ...contestant([], loopSettings), clients: loopClients };
  await measureOperations({ service, bare, loop }, report);
  for (const size of many) await measureMany(race, size, report);
  const { recording } = await addMerchants(stage.url, ['recording'], { ...single, settings: recordingEvents });
  const { quiet } = await addMerchants(stage.url, ['quiet'], single);
  const eventful = {
    recording: contestant([rest], { supplies: recording }),
    quiet: contestant([rest], { supplies: quiet }),
  };
  await measureEvents(eventful, report);
  await comparePgbench(stage, service, report);
  await measureHotBalance(service, report);
  const second = await startAnother();
  await measureTwoProcesses(service, second, report);
  await measureAgeing({ ...service, servers: [second] }, report);
}

async function measureMerchantsOf(race: Race, report: Report): Promise<void> {
  for (const size of [{ ...single, vouchers: inFull(6_000, 1_000) }, ...many]) await measureMany(race, size, report);
}

async function measureMany({ stage, rest, bareServer, contestant }: Race, size: Merchants, report: Report) {
  const { service, bare } = await addMerchants(stage.url, ['service', 'bare'], size);
  const both = {
    service: contestant([rest], { supplies: service }),
    bare: contestant([bareServer], { supplies: bare }),
  };
  await measureMerchantsAtOnce(size.merchants, both, report);
}

/** Errors: where the ledger does not add up, including what the bare servers wrote. */
async function checkLedger({ url }: Stage, report: Report): Promise<void> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const violations = await verifyLedger(owner);
  const [row] = await owner`select count(*)::int as count from transactions`;
  await owner.end();
  report.say(`\nThe ledger afterwards, with ${row?.count} transactions`);
  for (const { rule, found } of violations.slice(0, 5)) report.say(`  ${rule}: ${found}`);
  if (violations.length > 0) throw new Error(`the ledger does not add up, in ${violations.length} places`);
}
