/** A merchant moves between two cells: two PostgreSQL servers, each with the roles that an operator gives it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getTableName } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase, isBeingMoved, openSql, queriesOn } from '@/db/driver';
import { startCell, type TestCell } from '@/db/testing/cells';
import { commands } from '@/db/testing/commands';
import { tenantTables } from '@/db/testing/sample-rows';
import { recordingEvents, testServices } from '@/server/testing/factory';
import { createHistory } from '@/server/testing/merchant-history';
import { authenticateKey } from '../access';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { secretIdsOf } from '../kernel/secrets';
import { verifyLedger } from '../ledger';
import { topUp } from '../top-ups';
import { type Move, moveMerchant, stepNames, undoMove } from '.';
import { publishedTables, stayingTables } from './tables';

const names = ['sg1', 'sg2'] as const;
type Cell = Awaited<ReturnType<typeof openCell>>;
let a: Cell;
let b: Cell;
/** Where the merchant is at home, and the other cell. A test goes on where the one before has left it. */
let home: Cell;
let away: Cell;
let history: Awaited<ReturnType<typeof createHistory>>;
let neighbour: Awaited<ReturnType<typeof createHistory>>;

beforeAll(async () => {
  [a, b] = (await Promise.all(names.map(openCell))) as [Cell, Cell];
  [home, away] = [a, b];
  history = await createHistory(a, { seed: 7, steps: 40, settings: recordingEvents });
  neighbour = await createHistory(a, { seed: 8, steps: 20 });
  // The target's entries have higher numbers, and the source's database transactions, too.
  await createHistory(b, { seed: 9, steps: 20 });
});
afterAll(() => Promise.all([a, b].map((cell) => cell?.close())));

async function openCell(name: string) {
  const cell: TestCell = await startCell(name);
  const db = connectDatabase(cell.urls.service, { max: 6 });
  const owner = openSql(cell.urls.owner, { max: 6 });
  const services = testServices(db);
  await owner`insert into this_cell ${owner({ name, secret_ids: secretIdsOf(services) })}`;
  return {
    name,
    db,
    owner,
    services,
    url: cell.urls.owner,
    urls: cell.urls,
    server: cell.server,
    drop: async () => {},
    close: async () => {
      await Promise.all([db.close(), owner.end({ timeout: 1 })]);
      await cell.stop();
    },
  };
}

/** Runs `work` with a move between two cells, and the connections that the command opens. */
async function withMove<T>(from: Cell, to: Cell, work: (move: Move) => Promise<T>, merchantId = history.merchant.id) {
  const mover = openSql(from.urls.mover);
  const said: string[] = [];
  const side = ({ owner, name }: Cell) => ({ owner, db: queriesOn(owner), cell: name });
  try {
    return await work({
      merchantId,
      source: side(from),
      target: side(to),
      mover: queriesOn(mover),
      moverAddress: from.urls.mover,
      report: (line) => said.push(line),
    });
  } finally {
    await mover.end();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const move = (from: Cell, to: Cell) => withMove(from, to, (it) => moveMerchant(it, () => {}));
const undo = (from: Cell, to: Cell) => withMove(from, to, (it) => undoMove(it, () => {}));
const arrived = () => {
  [home, away] = [away, home];
};
const breakAfter = (step: string, from: Cell, to: Cell) =>
  withMove(from, to, (it) =>
    moveMerchant(it, (name) => {
      if (name === step) throw new Error(`killed after ${step}`);
    }),
  );

/** The number of the merchant's rows by table, without the tables that say where it is at home. */
async function rowsAt({ owner }: Cell, merchantId = history.merchant.id): Promise<Record<string, number>> {
  const tables = await tenantTables(owner);
  const counts: [string, number][] = [];
  for (const { table, tenant } of tables) {
    if (table === 'merchant_moves' || table === 'moved_references') continue;
    const [found] =
      await owner`select count(*)::integer as rows from ${owner(table)} where ${owner(tenant)} = ${merchantId}`;
    if (found?.rows > 0) counts.push([table, found?.rows]);
  }
  return Object.fromEntries(counts);
}

async function leftovers(): Promise<unknown[]> {
  const found = await Promise.all(
    [a, b].map(
      ({ owner }) => owner`
      select 'publication' as kind, pubname as name from pg_publication
      union all select 'subscription', subname from pg_subscription
      union all select 'slot', slot_name from pg_replication_slots`,
    ),
  );
  return found.flat();
}

/** True if a cell serves the merchant: its key is known, and writes are accepted. */
async function serves({ services }: Cell): Promise<boolean> {
  try {
    const till = await authenticateKey(services, history.merchant.stores[0].key);
    const customerId = history.customers[0] as string;
    await topUp(till, { transactionId: newId(), customer: { customerId }, packageId: history.packageId });
    return true;
  } catch (error) {
    if (isMoving(error)) return false;
    throw error;
  }
}

const isMoving = (error: unknown): boolean =>
  isBeingMoved(error) ||
  isBeingMoved((error as Error).cause) ||
  (error instanceof DomainError && ['invalid_api_key', 'service_unavailable'].includes(error.code));

test('there and back while its tills work: nothing is lost or doubled, and others notice nothing', async () => {
  const before = await rowsAt(a, neighbour.merchant.id);
  const acknowledged: string[] = [];
  const unexpected: unknown[] = [];
  let isOver = false;
  const till = async (n: number) => {
    let at = a;
    const customerId = history.customers[n % history.customers.length] as string;
    while (!isOver) {
      const transactionId = newId();
      for (;;) {
        try {
          const ctx = await authenticateKey(at.services, history.merchant.stores[n % 2]?.key ?? '');
          await topUp(ctx, { transactionId, customer: { customerId }, packageId: history.packageId });
          break;
        } catch (error) {
          if (!isMoving(error)) return void unexpected.push(error);
          at = at === a ? b : a;
          await pause(10);
        }
      }
      acknowledged.push(transactionId);
    }
  };
  const tills = [0, 1, 2, 3].map(till);
  const events = () => a.owner`select id from events where merchant_id = ${history.merchant.id} order by xid, seq`;
  const first = (await events()).map(({ id }) => id);
  try {
    await move(a, b);
    expect(await rowsAt(a)).toEqual({});
    const [moved] =
      await b.owner`select card_account_id, card_account_state from merchants where id = ${history.merchant.id}`;
    expect(moved).toEqual({ card_account_id: expect.stringMatching(/^acct_/), card_account_state: 'active' });
    await move(b, a);
  } finally {
    isOver = true;
    await Promise.all(tills);
  }
  expect(unexpected).toEqual([]);
  const found = await a.owner`
    select transaction_id from transactions where merchant_id = ${history.merchant.id} and transaction_id = any(${acknowledged})`;
  expect(found.length).toBe(acknowledged.length);
  expect(acknowledged.length).toBeGreaterThan(100);
  expect(await verifyLedger(a.owner)).toEqual([]);
  expect(await verifyLedger(b.owner)).toEqual([]);
  expect(await rowsAt(b)).toEqual({});
  expect(await rowsAt(a, neighbour.merchant.id)).toEqual(before);
  expect(await leftovers()).toEqual([]);
  // The earlier events still come first, in their order.
  expect((await events()).map(({ id }) => id).slice(0, first.length)).toEqual(first);
});

test.each([
  ['another DATA_SECRET', `update this_cell set secret_ids = '{0123abcd}'`, 'sg2 has another DATA_SECRET'],
  ['another cell than named', `update this_cell set name = 'sg3'`, 'the target’s database is that of the cell sg3'],
  [
    'another schema',
    `delete from drizzle.__drizzle_migrations where hash = (
     select hash from drizzle.__drizzle_migrations order by created_at desc limit 1)`,
    'the cells have different schemas',
  ],
  [
    'no right to subscribe',
    'revoke pg_create_subscription from loyalty_owner',
    'the owner of sg2 may create no subscription',
  ],
])('%s is refused before anything is written', async (_, change, problem) => {
  const admin = openSql(b.urls.superuser);
  const kept = {
    cell: await admin`select * from this_cell`,
    migrations: await admin`select * from drizzle.__drizzle_migrations`,
  };
  try {
    await admin.unsafe(change);
    await expect(move(a, b)).rejects.toThrow(problem);
    expect(await a.owner`select from merchant_moves`).toEqual([]);
    expect(await leftovers()).toEqual([]);
  } finally {
    await admin`truncate this_cell, drizzle.__drizzle_migrations`;
    await admin`insert into this_cell ${admin(kept.cell)}`;
    await admin`insert into drizzle.__drizzle_migrations ${admin(kept.migrations)}`;
    await admin`grant pg_create_subscription to loyalty_owner`;
    await admin.end();
  }
});

test('rows that name what is another merchant’s stop the move, each by its key', async () => {
  const { id: ours } = history.merchant;
  const { id: theirs } = neighbour.merchant;
  // As rows are that came while no foreign key was checked.
  const change = async (table: string, column: string, of: string) =>
    a.owner.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      const [row] = await tx`
        select id, ${tx(column)} as was from ${tx(table)}
        where merchant_id = ${ours} and ${tx(column)} is not null order by id limit 1`;
      const [other] = await tx`select id from ${tx(of)} where merchant_id = ${theirs} limit 1`;
      expect([row?.id, other?.id], table).toEqual([expect.any(String), expect.any(String)]);
      await tx`update ${tx(table)} set ${tx(column)} = ${other?.id} where merchant_id = ${ours} and id = ${row?.id}`;
      return async () => {
        await a.owner.begin(async (back) => {
          await back`set local session_replication_role = replica`;
          await back`
            update ${back(table)} set ${back(column)} = ${row?.was} where merchant_id = ${ours} and id = ${row?.id}`;
        });
        return `1 rows of ${table} there name a row of ${of} that is not there, such as ${row?.id}`;
      };
    });
  const undoing = [
    await change('orders', 'store_id', 'stores'),
    await change('vouchers', 'customer_id', 'customers'),
    await change('menu_items', 'category_id', 'menu_categories'),
  ];
  const refusal = await move(a, b).catch((error) => String(error));
  for (const back of undoing) expect(refusal).toContain(await back());
  expect([await serves(a), await serves(b)]).toEqual([true, false]);
  await undo(a, b);
  expect(await rowsAt(b)).toEqual({});
  expect(await rowsAt(b, theirs)).toEqual({});
});

test('a publication that also has rows of another merchant is not used', async () => {
  const name = `move_${history.merchant.id.replaceAll('-', '')}`;
  await a.owner`create publication ${a.owner(name)} for table stores`;
  await expect(move(a, b)).rejects.toThrow(`The publication ${name} has other rows than this release would publish`);
  expect(await rowsAt(b, neighbour.merchant.id)).toEqual({});
  expect(await rowsAt(b)).toEqual({});
  await undo(a, b);
  expect(await leftovers()).toEqual([]);
  expect(await serves(a)).toBe(true);
});

test('someone who has another account there is named', async () => {
  const { email } = history.staff.staff;
  const [user] = await a.owner`select * from users where email = ${email}`;
  await b.owner`delete from users where email = ${email}`;
  await b.owner`insert into users ${b.owner({ ...user, id: newId() })}`;
  await expect(move(a, b)).rejects.toThrow('Another account in sg2 has the e-mail address');
  expect(await serves(a)).toBe(true);
  await undo(a, b);
  await b.owner`delete from users where email = ${email}`;
});

describe('an account there with the id and address of one of its people', () => {
  const [mine, theirs] = ['the hash here', 'the hash of whoever invited the address there'];
  const as = () => history.staff.staff.userId;
  async function open(merchantId: string | null) {
    await home.owner`update users set password_hash = ${mine}, session_version = 1 where id = ${as()}`;
    const [user] = await home.owner`select * from users where id = ${as()}`;
    await away.owner`delete from users where id = ${as()}`;
    await away.owner`insert into users ${away.owner({ ...user, password_hash: theirs, session_version: 3 })}`;
    if (merchantId)
      await away.owner`insert into memberships ${away.owner({ merchant_id: merchantId, user_id: as(), role: 'owner' })}`;
  }
  const found = async () => {
    const [user] = await away.owner`select password_hash, session_version from users where id = ${as()}`;
    return [user?.password_hash, user?.session_version];
  };

  test('that works for a merchant there stops the move, unless the operator knows the person', async () => {
    const [there] = await away.owner`select id from merchants where id <> ${history.merchant.id} limit 1`;
    await open(there?.id);
    await expect(move(home, away)).rejects.toThrow('--same-people');
    expect(await serves(home)).toBe(true);
    await withMove(home, away, (it) => moveMerchant({ ...it, arePeopleSame: true }, () => {}));
    expect(await found()).toEqual([theirs, 3]);
    await away.owner`delete from memberships where user_id = ${as()} and merchant_id = ${there?.id}`;
    arrived();
  });

  test('that works for none gets the password of the one who moves, and its sessions end', async () => {
    await open(null);
    await move(home, away);
    expect(await found()).toEqual([mine, 4]);
    arrived();
  });
});

test('a move that is broken after any step goes on with the same command', async () => {
  const marker = newId();
  const payload = JSON.stringify({ merchantId: history.merchant.id, marker });
  await home.owner`select graphile_worker.add_job('send-notices', ${payload}::text::json, run_at => now() + interval '1 hour')`;
  const jobsAt = async ({ owner }: Cell) =>
    (await owner`select from graphile_worker._private_jobs where payload ->> 'marker' = ${marker}`).length;
  for (const step of stepNames) {
    await expect(breakAfter(step, home, away)).rejects.toThrow(`killed after ${step}`);
    const served = [await serves(home), await serves(away)];
    expect(served.filter((is) => is).length, step).toBe(step === 'Stop and leave' ? 0 : 1);
  }
  await move(home, away);
  arrived();
  expect([await serves(away), await serves(home)]).toEqual([false, true]);
  expect(await rowsAt(away)).toEqual({});
  expect([await jobsAt(away), await jobsAt(home)]).toEqual([0, 1]);
  expect(await leftovers()).toEqual([]);
  expect(await verifyLedger(home.owner)).toEqual([]);
});

const beforeArrival = stepNames.slice(0, stepNames.indexOf('Arrive'));

test.each(['Note the move in both cells', 'Subscribe', 'Copy rows', 'Stop and leave'])(
  'broken after "%s" and undone, it is whole where it was',
  async (step) => {
    expect(beforeArrival).toContain(step);
    const before = await rowsAt(home);
    await expect(breakAfter(step, home, away)).rejects.toThrow('killed');
    await undo(home, away);
    expect(await rowsAt(home)).toEqual(before);
    expect(await rowsAt(away)).toEqual({});
    expect(await leftovers()).toEqual([]);
    expect([await serves(away), await serves(home)]).toEqual([false, true]);
  },
);

test('writes are not stopped while the target does not follow', async () => {
  await expect(breakAfter('Copy rows', home, away)).rejects.toThrow('killed');
  const name = `move_${history.merchant.id.replaceAll('-', '')}`;
  await away.owner`alter subscription ${away.owner(name)} disable`;
  const following = () => home.owner`select from pg_replication_slots where slot_name = ${name} and active`;
  await expect.poll(async () => (await following()).count).toBe(0);
  let isOver = false;
  const reached: string[] = [];
  const moving = withMove(home, away, (it) => moveMerchant(it, (step) => reached.push(step))).finally(() => {
    isOver = true;
  });
  await expect.poll(() => reached).toContain('Gather statistics');
  // What comes next stops writes. It first waits for the target.
  const served: boolean[] = [];
  while (served.length < 100 && !isOver) served.push(await serves(home));
  expect(new Set(served)).toEqual(new Set([true]));
  expect(reached).not.toContain('Compare');
  await away.owner`alter subscription ${away.owner(name)} enable`;
  await moving;
  arrived();
  expect(await serves(home)).toBe(true);
});

test('an undo of a move back, broken before it returns, removes nothing more', async () => {
  const before = await rowsAt(home);
  await expect(breakAfter('Stop and leave', home, away)).rejects.toThrow('killed');
  const broken = withMove(home, away, (it) =>
    undoMove(it, (name) => {
      if (name === 'Remove what was copied') throw new Error('killed');
    }),
  );
  await expect(broken).rejects.toThrow('killed');
  await expect(move(home, away)).rejects.toThrow('Undoing its move was broken: run it again with --undo.');
  await undo(home, away);
  expect(await rowsAt(home)).toEqual(before);
  expect([await serves(home), await serves(away)]).toEqual([true, false]);
});

test('every table with a merchant moves, or stays for a reason', async () => {
  const moving = publishedTables.map(({ table }) => getTableName(table));
  const remaining = [...stayingTables.keys()].map(getTableName);
  const all = (await tenantTables(a.owner)).map(({ table }) => table);
  expect([...moving, ...remaining].sort()).toEqual(all.sort());
});

describe('the command', () => {
  /** Starts the command. Returns its process, and its exit code with its output. */
  async function start(from: Cell, to: Cell, ...args: string[]) {
    const child = spawn('node', [await commands(), 'merchant', 'move', history.merchant.id, '--to', to.name, ...args], {
      env: {
        ...process.env,
        DATABASE_URL: '',
        DATABASE_OWNER_URL: from.urls.owner,
        TARGET_DATABASE_OWNER_URL: to.urls.owner,
        MOVER_URL: from.urls.mover,
      },
    });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said.text += chunk;
      });
    return { child, said, ended: once(child, 'exit').then(([code]) => ({ code, said: said.text })) };
  }
  const startUntilItCopies = async (from: Cell, to: Cell) => {
    const started = await start(from, to);
    await expect.poll(() => started.said.text).toMatch(/of \d+ tables are ready/);
    return started;
  };
  const run = async (...args: Parameters<typeof start>) => (await start(...args)).ended;

  test('shows its progress; killed while it copies, it goes on', async () => {
    const killed = await startUntilItCopies(home, away);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect([await serves(home), await serves(away)]).toEqual([true, false]);
    const { code, said } = await run(home, away);
    expect(code, said).toBe(0);
    for (const name of stepNames) expect(said).toMatch(new RegExp(`^${name} +\\d+\\.\\d s$`, 'm'));
    const isThere = `Test Kitchen is at home in ${away.name}.`;
    expect(said.endsWith(`${isThere}\n`), said).toBe(true);
    expect([await serves(home), await serves(away)]).toEqual([false, true]);
    // Everything was already done.
    expect(await run(home, away)).toEqual({ code: 0, said: expect.stringContaining(isThere) });
    expect((await run(home, away, '--undo')).said.startsWith(`It is at home in ${away.name}. `)).toBe(true);
    arrived();
  });

  test('after the source or the target was killed while it copies, it goes on or is undone', async () => {
    const kill = ({ server }: Cell) => process.kill(server.pid(), 'SIGKILL');
    const restart = ({ server }: Cell) =>
      expect
        .poll(() =>
          server.restart().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
    const waiting = await startUntilItCopies(home, away);
    kill(home);
    await restart(home);
    // While rows are copied, it asks only the target and does not notice. It ends a little later.
    if ((await waiting.ended).code !== 0) expect((await run(home, away)).code).toBe(0);
    arrived();
    expect([await serves(away), await serves(home)]).toEqual([false, true]);
    const broken = await startUntilItCopies(home, away);
    kill(away);
    expect((await broken.ended).code).toBe(1);
    await restart(away);
    const stays = `Test Kitchen stays in ${home.name}.`;
    expect(await run(home, away, '--undo')).toEqual({ code: 0, said: expect.stringContaining(stays) });
    expect([await serves(home), await serves(away)]).toEqual([true, false]);
    expect(await verifyLedger(home.owner)).toEqual([]);
    expect(await leftovers()).toEqual([]);
  });

  test('what is missing is said in one line', async () => {
    expect((await run(a, { ...b, urls: { ...b.urls, owner: '' } })).said).toMatch(
      /^TARGET_DATABASE_OWNER_URL is missing[^\n]+\n$/,
    );
    expect((await run({ ...a, urls: { ...a.urls, mover: '' } }, b)).said).toMatch(/^MOVER_URL is missing[^\n]+\n$/);
  });
});
