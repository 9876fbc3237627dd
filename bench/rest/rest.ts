/** `--only rest`: the speed of the REST process, compared with the same statements without it. */

import postgres from 'postgres';
import type { EmbeddedServer } from '@/db/embedded';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { recordingEvents } from '@/server/testing/factory';
import { copyOfSeeded, type Say, seededDatabase, withServer } from '../database';
import type { Size } from '../seed';
import { measureAgeing, measureHotBalance, measureTwoProcesses } from './limits';
import { type LoadSettings, startSender } from './load';
import type { Contestant } from './measure';
import { clients, measureEvents, measureManyMerchants, measureOperations } from './operations';
import { addMerchants, customersPerMerchant } from './other-merchants';
import { comparePgbench } from './pgbench';
import { bundleProcesses, startBare, startRest } from './processes';
import { createReport, type Report } from './report';
import { openStage, type Stage } from './stage';

/** Database connections per process. */
const pool = 10;
/** Each has its own connection. */
const loopClients = 8;
/** More than all slices of a contestant redeem. */
const vouchers = 40_000;

/** Prints all figures with their targets; returns false where one is missed. */
export async function measureRest(size: Size, say: Say): Promise<boolean> {
  await withServer(false, (server) => seededDatabase(server, size, say));
  await bundleProcesses();
  return withServer(true, async (server) => {
    const report = createReport(say);
    const stage = await openStage(await copyOfSeeded(server, size), size.customers);
    try {
      await race(server, stage, report);
      await checkLedger(stage, report);
    } finally {
      await stage.close();
    }
    return report.conclude();
  });
}

async function race(server: EmbeddedServer, stage: Stage, report: Report): Promise<void> {
  const { url, key, statements } = stage;
  const bareSettings = { url, statements, pool };
  const stops: (() => unknown)[] = [];
  const contestant = (servers: Contestant['servers'], settings: LoadSettings): Contestant => {
    const sender = startSender(settings.bare ? 'loop-process' : 'load-process', settings);
    stops.push(sender.stop);
    return { sender, servers, postmasterPid: server.pid() };
  };
  /** A load on one merchant, with its own supplies. */
  const ofOne = async (name: string): Promise<LoadSettings> => ({
    keys: [key],
    supplies: await stage.supplies(name, vouchers),
  });
  try {
    const rest = await startRest(url, pool);
    const bareServer = await startBare(bareSettings);
    stops.push(rest.stop, bareServer.stop);
    const service = contestant([rest], await ofOne('service'));
    const bare = contestant([bareServer], await ofOne('bare'));
    const loopSettings = { ...(await ofOne('loop')), bare: { ...bareSettings, pool: loopClients } };
    const loop = { ...contestant([], loopSettings), clients: loopClients };
    await measureOperations({ service, bare, loop }, report);
    const keys = await addMerchants(url, clients);
    const ofMany = (prefix: string, own = keys): LoadSettings => ({
      keys: own,
      supplies: { prefix, customers: customersPerMerchant, packageId: '', vouchers: [] },
    });
    const many = { service: contestant([rest], ofMany('many')), bare: contestant([bareServer], ofMany('many-bare')) };
    await measureManyMerchants(many, report);
    const eventful = {
      recording: contestant([rest], ofMany('recording', await addMerchants(url, 1, recordingEvents))),
      quiet: contestant([rest], ofMany('quiet', await addMerchants(url, 1))),
    };
    await measureEvents(eventful, report);
    await comparePgbench(stage, service, report);
    await measureHotBalance(service, report);
    const second = await startRest(url, pool);
    stops.push(second.stop);
    await measureTwoProcesses(service, second, report);
    await measureAgeing({ ...service, servers: [second] }, report);
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Checks that the ledger adds up, including what the bare servers wrote. */
async function checkLedger({ url }: Stage, report: Report): Promise<void> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const violations = await verifyLedger(owner);
  const [row] = await owner`select count(*)::int as count from transactions`;
  await owner.end();
  report.say(`\nThe ledger afterwards, with ${row?.count} transactions`);
  report.atMost('violations of the ledger rules', violations.length, 0);
  for (const { rule, found } of violations.slice(0, 5)) report.say(`  ${rule}: ${found}`);
}
