/**
 * `npm run proof:failover`: a primary and its synchronous standby, the service, its worker and 16 tills. The primary is
 * killed under load and the standby promoted, there and back again; nothing that was acknowledged may be lost or doubled.
 * `-- --asynchronous` replicates without waiting, which loses what was acknowledged: then the proof has to fail.
 */
import { spawn } from 'node:child_process';
import postgres from 'postgres';
import { migrate } from '@/db/operations/migrate';
import { readOptions } from '@/server/cli/run';
import { readEnv } from '@/server/environment/env';
import { createServices } from '@/server/environment/services';
import { followChanges } from '@/server/live/changes';
import { askAgain, auditLedger } from '../chaos/audit';
import { sendRequest, type Told } from '../chaos/clients';
import { eventually, startRestService } from '../chaos/victims';
import { serviceEnvironment } from '../fixtures/service-environment';
import { type Cluster, queryCluster, type Site } from './cluster';
import { inSeconds, runDrill, say } from './drill';
import { carryOut, type Load, requestsOf, type Stage, setStage, startLoad, tills } from './load';
import { createPrimary, createStandby, cutOff, promoteStandby, rejoinPrimary, waitFor } from './replication';
import { workerCommand, workerReturns } from './worker';

const mostMs = 10_000;
/** Transactions before each kill, and after it. */
const some = 500;

interface Drill {
  site: Site;
  owner: postgres.Sql;
  stage: Stage;
  load: Load;
  /** The topics that an open screen was told of. */
  heard: string[];
  isSynchronous: boolean;
  /** What was found to be off. */
  findings: string[];
}

runDrill((site) => {
  const { asynchronous } = readOptions({ asynchronous: { type: 'boolean', default: false } });
  return drill(site, !asynchronous);
}, 'No acknowledged transaction was lost or doubled.');

async function drill(site: Site, isSynchronous: boolean): Promise<string[]> {
  const { closing } = site;
  const db1 = await createPrimary(site, 'db1');
  await queryCluster(db1, 'create database loyalty');
  await migrate(db1.url());
  const db2 = await createStandby(site, 'db2', db1);
  if (isSynchronous) await waitFor(db2, db1);

  const url = db1.url().replace(db1.host, `${db1.host},${db2.host}`);
  const owner = postgres(url, { max: 2, target_session_attrs: 'primary', onnotice: () => {} });
  closing.push(() => owner.end({ timeout: 1 }));
  const service = await startRestService(url);
  closing.push(service.stop);
  const stage = await setStage(owner, service);
  startWorker(url, site);
  await workerReturns(owner);
  const load = startLoad(stage, 'till');
  say(`PostgreSQL ${await versionOf(db1)}, ${isSynchronous ? '' : 'a'}synchronous replication, ${tills} tills.`);

  const heard = openScreen(url, stage, site);
  const state: Drill = { site, owner, stage, load, heard, isSynchronous, findings: [] };
  await load.more(some);
  await failOver(state, 'The primary is killed under load', db1, db2);
  await load.more(some);
  await loseSight(load, db2, db1);
  await failOver(state, 'The primary is killed while its standby is cut off', db2, db1);
  await load.finish();
  const findings = await audit(state);
  return [...service.unplannedExits, ...findings];
}

async function versionOf(cluster: Cluster): Promise<string> {
  const [row] = await queryCluster(cluster, 'show server_version');
  return row?.server_version;
}

function startWorker(url: string, { closing }: Site): void {
  const [program, ...args] = workerCommand;
  const worker = spawn(program, args, { stdio: 'ignore', env: serviceEnvironment({ DATABASE_URL: url }) });
  closing.push(async () => worker.kill('SIGKILL'));
}

/** A screen of the back office that follows what happens. Answers what it was told of. */
function openScreen(url: string, { merchantId }: Stage, { closing }: Site): string[] {
  const heard: string[] = [];
  const { db } = createServices(readEnv(serviceEnvironment({ DATABASE_URL: url })));
  const closed = new AbortController();
  const follow = async () => {
    const changes = followChanges(db, merchantId, { signal: closed.signal, mayFollow: async () => true });
    for await (const topic of changes) heard.push(topic);
  };
  const followed = follow();
  closing.push(async () => {
    closed.abort();
    await followed;
    await db.close();
  });
  return heard;
}

/** The standby hears no more of its primary, until tills wait for it, or, where they don't, are told what it won't know. */
async function loseSight({ shop }: Load, primary: Cluster, standby: Cluster): Promise<void> {
  await cutOff(standby);
  const told = shop.told.length;
  await eventually(async () => {
    const [row] = await queryCluster(
      primary,
      `select count(*)::int as waiting from pg_stat_activity where wait_event = 'SyncRep'`,
    );
    if (row?.waiting < 4 && shop.told.length < told + some) throw new Error('nobody waits for the standby');
  }, 30_000);
}

/** `from` is killed and `to` promoted; then all has to go on by itself. In the end, `from` is the standby of `to`. */
async function failOver(state: Drill, title: string, from: Cluster, to: Cluster): Promise<void> {
  const { load, stage, findings } = state;
  const { told } = load.shop;
  const [before, unknownBefore] = [told.length, settledOf(load)];
  const killed = performance.now();
  from.kill();
  // A real watchdog would take a while to be sure; here the service's first refusal is enough.
  await eventually(async () => {
    if ((await sendRequest(stage.pos, 'GET', '/ping')).status !== 503) throw new Error('the service does not notice');
  }, 10_000);
  const promoted = promoteStandby(state.site, to).then(() => performance.now());
  const [request] = requestsOf(stage, `after-${to.name}`, 1) as [Pick<Told, 'path' | 'body'>];
  told.push(await eventually(() => carryOut(stage.pos, request), 30_000));
  const served = performance.now() - killed;
  if (served > mostMs) findings.push(`${title}: the first success took ${inSeconds(served)}`);
  const queue = workerReturns(state.owner).then((at) => at - killed);
  const screen = screenReturns(state, `${to.name}-plu`).then((at) => at - killed);
  await load.more(some);
  say(`${title}: ${before} transactions had been acknowledged.`);
  say(
    `  the standby was promoted after ${inSeconds((await promoted) - killed)}, and the first top-up succeeded after ${inSeconds(served)};`,
  );
  say(
    `  the worker ran its next job after ${inSeconds(await queue)}, and an open screen received an update after ${inSeconds(await screen)}.`,
  );
  await rejoinPrimary(state.site, from, to);
  if (state.isSynchronous) await waitFor(from, to);
  say(`  ${settledOf(load) - unknownBefore} unknown outcomes were settled, and ${from.name} now follows ${to.name}.`);
}

/** How often clients had to find out, and found out, what became of a transaction. */
const settledOf = ({ shop: { tally } }: Load) => tally.replays + tally.settledByLookUp + tally.settledByVoid;

/** When an open screen has heard of a change that is made now. */
async function screenReturns({ stage, heard }: Drill, plu: string): Promise<number> {
  heard.length = 0;
  const { status, text } = await sendRequest(stage.pos, 'POST', '/stock-outs', { plus: [plu] });
  if (status !== 200) throw new Error(`a stock-out was answered ${status} ${text}`);
  await eventually(() => {
    if (!heard.includes('stockOuts')) throw new Error('an open screen hears nothing');
  }, 30_000);
  return performance.now();
}

/** Compares all that was told with the ledger of the primary, and has a part of it told once more. */
async function audit({ owner, stage, load, findings }: Drill): Promise<string[]> {
  const { told, complaints } = load.shop;
  const completed = told.filter(({ status }) => status === 'completed').length;
  const complaintsOfAudit = await auditLedger(owner, told);
  const again = told.filter((_, n) => n % 10 === 0);
  const complaintsOfTills = await askAgain(stage.pos, again);
  say(`${told.length} transactions in total, ${completed} of them completed. ${again.length} were sent again.`);
  const lines = [...complaints, ...complaintsOfAudit, ...complaintsOfTills].map(
    ({ rule, found }) => `${rule}: ${found}`,
  );
  return [...findings, ...lines];
}
