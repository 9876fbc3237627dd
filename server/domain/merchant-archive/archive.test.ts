/** A merchant is exported to a file and imported into another database: completely, once, and without others' data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import * as schema from '@/db/schema';
import { cloneDatabase } from '@/db/testing/clone';
import { ownDatabase, type TestDatabase } from '@/db/testing/database';
import { dropConstraints, insertSample, tenantTables } from '@/db/testing/sample-rows';
import { bringIn, ownSecrets, saveArchive, startExport } from '@/server/testing/archives';
import { createMerchant, testArchiveKeys, testServices } from '@/server/testing/factory';
import { createHistory } from '@/server/testing/merchant-history';
import { createPerson, personOf } from '@/server/testing/people';
import { callAs, createStaff } from '@/server/testing/staff';
import { openStage } from '@/server/testing/transaction-stage';
import { authenticateKey } from '../access/authenticate';
import { staffContext } from '../access/context';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { getTablePage } from '../qr-ordering/table-page';
import { rollUpReports } from '../reports/roll-up';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { type Archive, importMerchant, openArchive } from '.';
import { archivedTables, fileOf, leftOut } from './members';

const source = ownDatabase();
const target = ownDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

const save = (archive: Archive) => saveArchive(folder, archive);

/** All rows of a merchant as sorted texts, by table. Runs the worker's aggregation first. */
async function rowsOf({ owner, db }: TestDatabase, merchantId: string, without: string[] = []) {
  await rollUpReports(testServices(db, { now: () => new Date(Date.now() + 120_000) }));
  const found: Record<string, string[]> = {};
  for (const { table, tenant } of await tenantTables(owner)) {
    const rows = await owner.unsafe(
      `select (to_jsonb(t) - $2::text[])::text as row from "${table}" t where ${tenant} = $1 order by 1`,
      [merchantId, without],
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

/** What owners see: balances and reports. */
async function seenBy(database: TestDatabase, userId: string) {
  const services = testServices(database.db);
  const staff = await staffContext(services, await personOf(services, userId));
  const call = callAs(staff);
  const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
  const month = { from: day(-28), to: day(1) };
  return {
    customers: await call.customers.list({ limit: 100 }),
    liability: await call.reports.liability(month),
    sales: await call.reports.sales(month),
    vouchers: await call.reports.vouchers(month),
    points: await call.reports.points(month),
    items: await call.reports.breakdown({ ...month, by: 'item' }),
    credit: await call.reports.credit(),
    transactions: await call.transactions.list({ limit: 100 }),
  };
}

describe('from one database into another', () => {
  let history: Awaited<ReturnType<typeof createHistory>>;
  beforeAll(async () => {
    history = await createHistory(source, { seed: 20261125 });
    // The target database has its own history and numbers.
    await createHistory(target, { seed: 7, steps: 20 });
  });

  test('the history has something of everything', () => {
    for (const [kind, { done }] of Object.entries(history.counts)) expect(done, kind).toBeGreaterThan(0);
    expect(history.counts.redeem?.refused).toBeGreaterThan(0);
  });

  test('rows, balances and reports are equal, tills and tables work on, and the ledger is right', async () => {
    const { merchant, staff, table, customers, packageId } = history;
    const seen = await seenBy(source, staff.staff.userId);
    const before = await rowsOf(source, merchant.id);
    const { path, manifest } = await save(await startExport(source, merchant.id));
    const imported = await bringIn(target, path);
    expect(imported).toMatchObject({ merchant: { id: merchant.id, isClosed: false }, newKeys: [] });
    expect(imported.rows).toBe(manifest.members.reduce((sum, { rows }) => sum + rows, 0));

    const after = await rowsOf(target, merchant.id);
    const isOfImport = (row: string) => row.includes('merchant.import');
    expect(after.audit_log?.filter(isOfImport)).toHaveLength(1);
    after.audit_log = (after.audit_log ?? []).filter((row) => !isOfImport(row));
    const secretTables = ['diner_sessions', 'diner_codes', 'invitations', 'invitation_stores'];
    for (const [name, rows] of Object.entries(before)) {
      if (!secretTables.includes(name)) expect(after[name], name).toEqual(rows);
    }
    expect(after.merchants?.[0]).toMatch(/"card_account_id": "acct_/);
    expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(25);
    expect(await seenBy(target, staff.staff.userId)).toEqual(seen);

    const services = testServices(target.db);
    const till = await authenticateKey(services, merchant.stores[0].key);
    const [customerId = ''] = customers;
    const newest = async () => {
      const [row] = await target.owner`
        select max(id)::int as newest from ledger_entries where merchant_id = ${merchant.id}`;
      return row?.newest as number;
    };
    const newestThen = await newest();
    await topUp(till, { transactionId: newId(), customer: { customerId }, packageId });
    await redeemStoredValue(till, { transactionId: newId(), customer: { customerId }, amount: 50, pin: '4831' });
    // Otherwise the reports would miss them.
    const later = await target.owner`
      select from ledger_entries where merchant_id = ${merchant.id} and id > ${newestThen}`;
    expect(later.length).toBeGreaterThanOrEqual(3);
    expect((await getTablePage(services, table.visit, 'en')).state).toBe('open');
    expect(await verifyLedger(target.owner)).toEqual([]);
  });

  test('events and webhooks stay where they were, and only what the merchant itself wants is recorded', async () => {
    for (const recordsEvents of [true, false]) {
      const { merchant, north, next, packageId } = await openStage(source, {
        records_events: recordsEvents,
        event_types: recordsEvents ? null : ['transaction.completed'],
      });
      const endpoint = { merchant_id: merchant.id, id: newId(), url: 'https://example.com', secret: Buffer.alloc(32) };
      await source.owner`insert into webhook_endpoints ${source.owner({ ...endpoint, queued_xid: 0, queued_seq: 0 })}`;
      await topUp(north, { ...next(), packageId });
      expect((await rowsOf(source, merchant.id)).events).toHaveLength(1);
      const { path } = await save(await startExport(source, merchant.id));
      await bringIn(target, path);
      const { events, webhook_endpoints: endpoints } = await rowsOf(target, merchant.id);
      expect([events, endpoints]).toEqual([[], []]);
      const [row] = await target.owner`select event_types from merchants where id = ${merchant.id}`;
      expect(row?.event_types).toEqual(recordsEvents ? null : []);
    }
  });

  test('the same file a second time changes nothing, also at the same moment', async () => {
    const { merchant } = await createHistory(source, { seed: 3, steps: 20 });
    const { path } = await save(await startExport(source, merchant.id));
    const both = await Promise.allSettled([bringIn(target, path), bringIn(target, path)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const before = await rowsOf(target, merchant.id);
    await expect(bringIn(target, path)).rejects.toThrow(
      `Test Kitchen (${merchant.id}) is in this database already: nothing was imported.`,
    );
    expect(await rowsOf(target, merchant.id)).toEqual(before);
  });

  test('without secrets, nobody’s key, code or PIN is in it, and keys are created anew', async () => {
    const { merchant, table, packageId, customers } = await createHistory(source, { seed: 4, steps: 20 });
    const { path } = await save(await startExport(source, merchant.id, null));
    const { owner } = source;
    const secrets = await owner`
      select encode(hash, 'hex') as hex from api_keys where merchant_id = ${merchant.id}
      union all select encode(token_hash, 'hex') from qr_codes where merchant_id = ${merchant.id}
      union all select encode(token_hash, 'hex') from dining_tables where merchant_id = ${merchant.id}
      union all select encode(hash, 'hex') from customer_pins where merchant_id = ${merchant.id}
      union all select password_hash from users`;
    const archive = await openArchive(path);
    for (const { file } of archive.manifest.members) {
      const content = await text(await archive.open(file));
      expect(
        secrets.filter(({ hex }) => hex !== 'none' && content.includes(hex)),
        file,
      ).toEqual([]);
    }
    archive.close();
    expect(secrets.length).toBeGreaterThan(10);
    await expect(bringIn(target, path, 'carry')).rejects.toThrow(/^The archive has no API keys to carry over: /);

    const { newKeys } = await bringIn(target, path, 'new');
    expect(newKeys.map(({ storeCode }) => storeCode)).toEqual(['NORTH', 'SOUTH', null]);
    const services = testServices(target.db);
    await expect(authenticateKey(services, merchant.key)).rejects.toMatchObject({ code: 'invalid_api_key' });
    const till = await authenticateKey(services, newKeys[0]?.key);
    expect(till).toMatchObject({ merchant: { id: merchant.id }, boundStore: { storeCode: 'NORTH' } });
    await topUp(till, { transactionId: newId(), customer: { customerId: customers[0] ?? '' }, packageId });
    expect((await getTablePage(services, table.visit, 'en')).state).toBe('unknown');
    expect(await target.owner`select from customer_pins where merchant_id = ${merchant.id}`).toEqual([]);
  });

  test('a person who is known here by their address stops it, or keeps their account, and all they did is theirs', async () => {
    const { merchant, staff, call, customers } = await createHistory(source, { seed: 5, steps: 10 });
    const here = await createPerson(target.owner, staff.staff.email);
    expect(here.userId).not.toBe(staff.staff.userId);
    const colleague = await createStaff(source.owner, testServices(source.db), merchant.id, 'cashier');
    await call.customers.addNote({ customerId: customers[0] ?? '', text: 'Vegetarian' });
    const { path } = await save(await startExport(source, merchant.id));
    await expect(bringIn(target, path, 'carry', ownSecrets, false)).rejects.toThrow(/^Not imported: .*--same-people/);
    expect(await target.owner`select from memberships where user_id = ${here.userId}`).toEqual([]);
    const { newOwners, newPeople } = await bringIn(target, path);
    // The history's manager, and the cashier.
    expect([newOwners, newPeople]).toEqual([[], 2]);
    const person = await personOf(testServices(target.db), here.userId);
    expect(person.memberships).toMatchObject([{ merchantId: merchant.id, role: 'owner' }]);
    const old = Object.entries(await rowsOf(target, merchant.id)).filter(([, rows]) =>
      rows.some((row) => row.includes(staff.staff.userId)),
    );
    expect(old).toEqual([]);
    const notes = await target.owner`select distinct user_id from customer_notes where merchant_id = ${merchant.id}`;
    expect(notes).toEqual([{ user_id: here.userId }]);
    expect((await personOf(testServices(target.db), colleague.staff.userId)).memberships).toHaveLength(1);
  });

  test('owners who have no account here are named, and nobody knows their password', async () => {
    const { merchant, staff } = await createHistory(source, { seed: 6, steps: 5 });
    const { path } = await save(await startExport(source, merchant.id));
    const { newOwners } = await bringIn(target, path);
    expect(newOwners).toEqual([staff.staff.email]);
    const [user] = await target.owner`select password_hash from users where id = ${staff.staff.userId}`;
    expect(user?.password_hash).toMatch(/^\$argon2id\$/);
  });

  test('secrets of another deployment, and another environment, are refused', async () => {
    const { merchant } = await createHistory(source, { seed: 8, steps: 5 });
    const { path } = await save(await startExport(source, merchant.id));
    await expect(bringIn(target, path, 'new', ['00000000'])).rejects.toThrow(/^PINs and QR codes of the archive need /);
    const archive = await openArchive(path);
    const options = {
      environment: 'live',
      cell: null,
      secretIds: ownSecrets,
      keys: 'new',
      arePeopleSame: false,
      archiveKeys: testArchiveKeys,
      namedFingerprint: undefined,
      now: new Date(),
    } as const;
    await expect(importMerchant(target.owner, archive, options)).rejects.toThrow(
      'The archive is of a sandbox deployment, and this one is live.',
    );
    archive.close();
    expect(await target.owner`select from merchants where id = ${merchant.id}`).toEqual([]);
  });
});

describe('while tills work', () => {
  test('an export is of one moment, and an import stops nobody', async () => {
    const [leaving, staying] = [await openStage(source), await openStage(target)];
    let isOver = false;
    const work = async (stage: typeof leaving) => {
      let done = 0;
      for (; !isOver; done++) await stage.paid(stage.north);
      return done;
    };
    const working = Promise.all([...Array(4).fill(leaving), ...Array(4).fill(staying)].map(work));
    const paths: string[] = [];
    for (let n = 0; n < 3; n++) paths.push((await save(await startExport(source, leaving.merchant.id))).path);
    await bringIn(target, paths[1] ?? '');
    isOver = true;
    const counts = await working;
    expect(Math.min(...counts)).toBeGreaterThan(3);
    expect(await verifyLedger(target.owner)).toEqual([]);
  });

  test('one export of a merchant at a time; one that is given up is over', async () => {
    const [merchant, other] = [await createMerchant(source.owner), await createMerchant(source.owner)];
    // More than fits into the buffers on the way to a reader.
    await source.owner`
      insert into customers (merchant_id, id, given_name, last_name, joined_at)
      select ${merchant.id}, gen_random_uuid(), md5(n::text), md5(n::text || 'x'), now() from generate_series(1, 20000) n`;
    const first = await startExport(source, merchant.id);
    await expect(startExport(source, merchant.id)).rejects.toMatchObject({ code: 'export_in_progress' });
    await save(await startExport(source, other.id));
    first.file.destroy();
    await expect(first.written).rejects.toThrow();
    const again = await vi.waitFor(() => startExport(source, merchant.id), 40_000);
    again.file.destroy();
    await expect(again.written).rejects.toThrow();
    await expect(startExport(source, newId())).rejects.toMatchObject({ code: 'merchant_not_found' });
  });
});

test('every table of merchants is in an archive, or left out for a reason, and no row of another merchant is', async () => {
  const all: unknown[] = Object.values(schema);
  const named = all.filter((one): one is PgTable => is(one, PgTable)).map(getTableName);
  const database = await cloneDatabase(inject('adminUrl'));
  const { owner } = database;
  const tables = await tenantTables(owner);
  expect(tables.filter(({ table }) => !named.includes(table))).toEqual([]);
  const listed = [...archivedTables, ...leftOut.keys()].map(getTableName).sort();
  expect(listed).toEqual(tables.map(({ table }) => table).sort());
  await dropConstraints(owner);
  const [own, others] = [newId(), newId()];
  for (const { table, tenant } of tables)
    for (const id of [own, others]) await insertSample(owner, table, { [tenant]: id });
  const { path } = await save(await startExport(database, own));
  const archive = await openArchive(path);
  for (const table of archivedTables) {
    const content = await text(await archive.open(fileOf(table)));
    expect([content.includes(own), content.includes(others)], fileOf(table)).toEqual([true, false]);
  }
  archive.close();
  await database.drop();
});
