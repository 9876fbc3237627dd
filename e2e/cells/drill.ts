/** Merchants move between two cells while their tills, and those of others, work, and while processes are killed. */
import { setTimeout as wait } from 'node:timers/promises';
import { verifyLedger } from '@/server/domain/ledger';
import { eventually } from '../chaos/victims';
import { p99, startTills, type Told } from './tills';
import { type CellName, openWorld, type Shop, startMove, type World } from './world';

interface Size {
  /** Merchants in the first cell. */
  merchants: number;
  /** How many of them move there and back. */
  moving: number;
  /** On the way back, what is killed, one for each move. The router is reloaded. */
  kills: Victim[];
  quietSeconds: number;
}

export type Victim = 'command' | 'source database' | 'target database' | 'source service' | 'target service' | 'router';

export interface Report {
  complaints: string[];
  figures: Record<string, string | number>;
}

/** Runs the drill. `say` hears what happens. */
export async function runDrill(size: Size, say: (line: string) => void): Promise<Report> {
  const world = await openWorld(size.merchants);
  const complaints: string[] = [];
  const figures: Report['figures'] = {};
  try {
    const tills = startTills(world.origin, world.shops);
    const moving = world.shops.slice(0, size.moving);
    const isOther = (shop: Shop) => !moving.includes(shop);
    const stops: number[] = [];
    await wait(2_000);
    const quietFrom = performance.now();
    await wait(size.quietSeconds * 1_000);
    const movesFrom = performance.now();
    for (const shop of moving) {
      const { code, said } = await (await startMove(world, shop, 'sg1', 'sg2')).ended;
      say(`There: ${summaryOf(said)}`);
      stops.push(...stopsIn(said));
      if (code !== 0) complaints.push(`a move without a kill failed: ${said}`);
    }
    const killsFrom = performance.now();
    for (const [n, shop] of moving.entries()) {
      const victim = size.kills[n % size.kills.length] as Victim;
      await moveDespite(world, shop, victim, say).catch((error) => complaints.push(`${victim}: ${error}`));
    }
    const killsTo = performance.now();
    await wait(1_000);
    await tills.stop();
    complaints.push(...tills.odd.slice(0, 5).map((one) => `a till was answered ${one}`));
    complaints.push(...(await auditCells(world, tills.told)));
    const [quiet, during] = [
      p99(tills.told, quietFrom, movesFrom, isOther),
      p99(tills.told, movesFrom, killsFrom, isOther),
    ];
    Object.assign(figures, {
      transactions: tills.told.length,
      'of merchants that moved': tills.told.filter(({ shop }) => !isOther(shop)).length,
      'longest stop (ms)': Math.max(...stops),
      'p99 of others before (ms)': quiet,
      'p99 of others during moves (ms)': during,
      'longest wait of a moving till (ms)': longest(tills.told, movesFrom, killsFrom, (shop) => !isOther(shop)),
      'longest wait of a moving till, with kills (ms)': longest(
        tills.told,
        killsFrom,
        killsTo,
        (shop) => !isOther(shop),
      ),
    });
    if (Math.max(...stops) > 3_000) complaints.push('a stop lasted longer than three seconds');
  } finally {
    await world.close();
  }
  return { complaints, figures };
}

const longest = (told: Told[], from: number, to: number, isCounted: (shop: Shop) => boolean) =>
  Math.round(
    Math.max(0, ...told.filter(({ at, shop }) => at >= from && at < to && isCounted(shop)).map(({ ms }) => ms)),
  );

const stopsIn = (said: string) => [...said.matchAll(/stopped for (\d+) ms/g)].map(([, ms]) => Number(ms));
const summaryOf = (said: string) => said.trim().split('\n').at(-1) ?? '';

/** Moves a merchant back while something is killed, with the same command again, once after an undo, until it is there. */
async function moveDespite(world: World, shop: Shop, victim: Victim, say: (line: string) => void): Promise<void> {
  const [from, to]: [CellName, CellName] = ['sg2', 'sg1'];
  const { child, ended } = await startMove(world, shop, from, to);
  await wait(500 + Math.random() * 2_500);
  await kill(world, victim, from, to, child.pid ?? 0);
  let { code, said } = await ended;
  for (let tries = 1; code !== 0 && tries < 6; tries++) {
    if (tries === 1 && victim === 'command') await (await startMove(world, shop, from, to, '--undo')).ended;
    ({ code, said } = await (await startMove(world, shop, from, to)).ended);
  }
  say(`Back, ${victim} ${victim === 'router' ? 'reloaded' : 'killed'}: ${summaryOf(said)}`);
  if (code !== 0) throw new Error(said);
}

async function kill(
  { cells, router }: World,
  victim: Victim,
  from: CellName,
  to: CellName,
  command: number,
): Promise<void> {
  const cell = cells[victim.startsWith('source') ? from : to];
  if (victim === 'command') process.kill(command, 'SIGKILL');
  else if (victim === 'router') await router.reload();
  else if (victim.endsWith('database')) {
    process.kill(cell.server.pid(), 'SIGKILL');
    // Its other processes end when they notice.
    await eventually(() => cell.server.restart(), 30_000);
  } else {
    cell.service.kill();
    await cell.service.restart();
  }
}

/** What is wrong with what both cells have, by what tills were told. */
async function auditCells({ cells, shops }: World, told: Told[]): Promise<string[]> {
  const complaints: string[] = [];
  for (const shop of shops) {
    const home = cells[shop.firstCell];
    const away = cells[shop.firstCell === 'sg1' ? 'sg2' : 'sg1'];
    const [elsewhere] = await away.owner`
      select (select count(*) from merchants where id = ${shop.merchantId})::integer as merchants,
        (select count(*) from transactions where merchant_id = ${shop.merchantId})::integer as transactions`;
    if (elsewhere?.merchants + elsewhere?.transactions > 0) complaints.push(`${shop.merchantId} is in both cells`);
    const [moves] =
      await home.owner`select count(*)::integer as count from merchant_moves where merchant_id = ${shop.merchantId}`;
    if (moves?.count > 0) complaints.push(`${shop.merchantId} is not at home`);
    const known = await home.owner`
      select transaction_id as id, status from transactions where merchant_id = ${shop.merchantId} and transaction_id like 'cells-%'`;
    const statuses = new Map(known.map(({ id, status }) => [id as string, status as string]));
    const theirs = told.filter((one) => one.shop === shop);
    for (const { transactionId, isDone } of theirs) {
      const status = statuses.get(transactionId);
      if (status !== (isDone ? 'completed' : 'refused'))
        complaints.push(`${transactionId}: told ${isDone}, recorded ${status}`);
    }
    if (statuses.size !== theirs.length)
      complaints.push(`${shop.merchantId}: ${statuses.size} recorded, ${theirs.length} told`);
    const done = theirs.filter(({ isDone }) => isDone);
    const expected = done.reduce((sum, { isTopUp }) => sum + (isTopUp ? 1_100 : -300), 0);
    const [held] = await home.owner`
      select coalesce(sum(principal + bonus), 0)::integer as sum from balances where merchant_id = ${shop.merchantId}`;
    if (held?.sum !== expected) complaints.push(`${shop.merchantId} holds ${held?.sum}, and by its tills ${expected}`);
  }
  for (const { name, owner } of Object.values(cells)) {
    for (const { rule, subject } of await verifyLedger(owner)) complaints.push(`${name}: ${rule}: ${subject}`);
    const left = await owner`
      select pubname as name from pg_publication union all select subname from pg_subscription
      union all select slot_name from pg_replication_slots`;
    complaints.push(...left.map((one) => `${name}: ${one.name} is left`));
  }
  return complaints;
}
