/**
 * `npm run proof:restore`: once with pgBackRest, once with PostgreSQL's own tools, a back-up is taken, and WAL archived, while 16 tills work; then a table is dropped by mistake,
 * and the server is lost. It is restored to the moment before: exactly what had happened until then is there, and what
 * came after goes through when its tills send it again.
 */
import { rmSync } from 'node:fs';
import postgres from 'postgres';
import { migrate } from '@/db/operations/migrate';
import { askAgain, auditLedger } from '../chaos/audit';
import { type Pos, sendRequest, type Told } from '../chaos/clients';
import { startRestService } from '../chaos/victims';
import { archiveAll, type Backups, baseBackups } from './backup';
import { type Cluster, createCluster, queryCluster, type Site } from './cluster';
import { inSeconds, runDrill, say } from './drill';
import { carryOut, requestsOf, type Stage, setStage, startLoad, tills } from './load';
import { pgBackRest } from './pgbackrest';

const some = 500;
const later = 100;

/** What happened before the database was lost. */
interface Past {
  stage: Stage;
  moment: string;
  told: Told[];
  toldLater: Told[];
}

const ways = { pgBackRest, 'PostgreSQL’s own tools': baseBackups };

runDrill(async (site) => {
  const findings: string[] = [];
  for (const [n, [way, keep]] of Object.entries(ways).entries()) {
    say(`With ${way}:`);
    const lost = await createCluster(site, `db${n + 1}`);
    findings.push(...(await drill(site, lost, keep(site, lost))));
  }
  return findings;
}, 'Exactly the transactions up to that moment are there. The later ones succeeded when they were sent again.');

async function drill(site: Site, lost: Cluster, backups: Backups): Promise<string[]> {
  await backups.start();
  await queryCluster(lost, 'create database loyalty');
  await migrate(lost.url());
  const past = await live(site, lost, backups);
  lost.kill();
  rmSync(lost.data, { recursive: true });

  const began = performance.now();
  const restored = await backups.restore(past.moment);
  say(`The database was restored to ${past.moment} in ${inSeconds(performance.now() - began)}.`);
  const findings = await verify(site, restored, past);
  await restored.stop();
  return findings;
}

/** A back-up under load, the moment, some more transactions, and the mistake. */
async function live(site: Site, cluster: Cluster, backups: Backups): Promise<Past> {
  const owner = postgres(cluster.url(), { max: 1, onnotice: () => {} });
  const service = await startRestService(cluster.url());
  site.closing.push(service.stop);
  const stage = await setStage(owner, service);
  const load = startLoad(stage, 'till');
  await load.more(some);
  const began = performance.now();
  await backups.take();
  say(`Backed up in ${inSeconds(performance.now() - began)} while ${tills} tills were at work.`);
  await load.more(some);
  await load.finish();

  const [row] = await queryCluster(cluster, 'select clock_timestamp()::text as moment');
  const toldLater: Told[] = [];
  for (const request of requestsOf(stage, 'later', later)) toldLater.push(await carryOut(stage.pos, request));
  await owner`drop table ledger_entries cascade`;
  await archiveAll(cluster);
  await service.stop();
  await owner.end();
  return { stage, moment: row?.moment, told: load.shop.told, toldLater };
}

/** Answers what is off. */
async function verify(site: Site, restored: Cluster, { stage, told, toldLater }: Past): Promise<string[]> {
  const owner = postgres(restored.url(), { max: 1, onnotice: () => {} });
  const found = await auditLedger(owner, told);
  say(`Checked ${told.length} transactions acknowledged before that moment. ${toldLater.length} later ones are lost.`);

  const service = await startRestService(restored.url());
  site.closing.push(service.stop);
  const pos: Pos = { ...stage.pos, origin: service.origin };
  for (const { body } of toldLater) {
    const { status } = await sendRequest(pos, 'GET', `/transactions/${body.transactionId}`);
    if (status !== 404) throw new Error(`${body.transactionId} must not be known, and was answered ${status}`);
  }
  const toldAgain: Told[] = [];
  for (const one of toldLater) toldAgain.push(await carryOut(pos, one));
  const again = told.filter((_, n) => n % 10 === 0);
  found.push(...(await askAgain(pos, again)), ...(await auditLedger(owner, [...told, ...toldAgain])));
  say(`The tills sent the ${toldAgain.length} lost transactions again, and ${again.length} of the restored ones.`);
  await Promise.all([owner.end(), service.stop()]);
  return found.map(({ rule, found }) => `${rule}: ${found}`);
}
