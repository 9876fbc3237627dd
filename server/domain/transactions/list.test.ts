import { parse } from 'csv-parse/sync';
import { desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Database, type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { transactions } from '@/db/schema';
import { ownDatabase } from '@/db/testing/database';
import { transactionsExport } from '@/server/csv/transactions';
import { createCustomer, createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { recordedType, transactionStatus } from '../engine/schemas';
import type { StaffContext } from '../kernel/context';
import { seekPage } from '../kernel/page';
import { findUids, newestFirst } from './find';
import type { ListedTransaction } from './list';
import type { TransactionFilter } from './schemas';
import { voidTransactions } from './void';

const rows = 60_000;
const database = ownDatabase();
let db: Database;
let merchant: TestMerchant;
let customerId: string;
let ctx: StaffContext;

beforeAll(async () => {
  ({ db } = database);
  merchant = await createMerchant(database.owner);
  customerId = (await createCustomer(database.owner, merchant.id)).id;
  ctx = await createStaff(database.owner, testServices(db), merchant.id, 'manager');
  await seed();
});

/**
 * A year of transactions, ten minutes and a bit apart. Points were redeemed only in the first days at one store, and
 * only the first transactions were refused. Transactions without a store are rare, and one combination never occurs.
 */
async function seed(): Promise<void> {
  const { owner } = database;
  const [north, south] = merchant.stores.map(({ id }) => id) as [string, string];
  await owner`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, customer_id, amount, bill_id, occurred_at, created_at, voided_at)
    select ${merchant.id}, (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(i), 12, '0'))::uuid,
      case when type not in ('expiry', 'adjustment') then case when i % 2 = 0 then ${north}::uuid else ${south}::uuid end end,
      case when type not in ('expiry', 'adjustment') then format('T%s-%s', to_char(at, 'YYYYMMDD'), i) end,
      type::transaction_type, status::transaction_status, case when i % 500 = 3 then ${customerId}::uuid end, 100,
      case when type = 'sale' then format('B%s', i / 3) end, at, at, case status when 'voided' then at end
    from (
      select i, timestamptz '2025-01-01 00:00+08' + i * interval '525.6 seconds' as at,
        case when i % 2 = 0 and i < 400 then 'redeemPoints' when i % 5000 = 1 then 'adjustment' when i % 3000 = 2 then 'expiry'
          when i % 3 = 0 then 'topUp' when i % 3 = 1 then 'redeemStoredValue' else 'sale' end as type,
        case when i < 300 and i % 3 = 0 then 'refused' when i % 100 = 7 then 'voided' else 'completed' end as status
      from generate_series(1, ${rows}::int) i
    ) one`;
  await owner`analyze transactions`;
  facts = await owner<Fact[]>`
    select uid, transaction_id, type, status, store_id, customer_id, created_at from transactions order by uid desc`;
}

interface Fact {
  uid: string;
  type: string | null;
  status: string;
  store_id: string | null;
  customer_id: string | null;
  created_at: Date;
}
let facts: Fact[];
const dayOf = (at: Date) => new Date(at.getTime() + 8 * 60 * 60_000).toISOString().slice(0, 10);

/** The expected list, computed without an index or pages. */
const expected = ({ type, status, storeId, customerId: customer, from, until }: TransactionFilter) =>
  facts
    .filter(
      (one) =>
        (type === undefined || one.type === type) &&
        (status === undefined || one.status === status) &&
        (storeId === undefined || one.store_id === storeId) &&
        (customer === undefined || one.customer_id === customer) &&
        (from === undefined || dayOf(one.created_at) >= from) &&
        (until === undefined || dayOf(one.created_at) <= until),
    )
    .map(({ uid }) => uid);

const list = (filter: TransactionFilter, page: { after?: string; before?: string; limit?: number } = {}, staff = ctx) =>
  callAs(staff).transactions.list({ ...filter, ...page });
const uidsOf = ({ items }: { items: ListedTransaction[] }) => items.map(({ uid }) => uid);

/** Every filter by type, status and store: over all days, over a few days in the middle, and over the last days. */
function everyFilter(): TransactionFilter[] {
  const days = [{}, { from: '2025-06-01', until: '2025-06-03' }, { from: '2025-12-25' }, { until: '2025-01-02' }];
  return [undefined, ...recordedType.options].flatMap((type) =>
    [undefined, ...transactionStatus.options].flatMap((status) =>
      [undefined, merchant.stores[0].id].flatMap((storeId) => days.map((some) => ({ type, status, storeId, ...some }))),
    ),
  );
}

describe('every combination of filters', () => {
  test('holds what matches, newest first, a page forwards and back', async () => {
    let [full, empty] = [0, 0];
    for (const filter of everyFilter()) {
      const all = expected(filter);
      const first = await list(filter, { limit: 20 });
      expect(uidsOf(first), JSON.stringify(filter)).toEqual(all.slice(0, 20));
      expect(first.previousCursor).toBe(null);
      if (all.length === 0) empty++;
      if (all.length <= 20) {
        expect(first.nextCursor).toBe(null);
        continue;
      }
      full++;
      const second = await list(filter, { limit: 20, after: first.nextCursor as string });
      expect(uidsOf(second), JSON.stringify(filter)).toEqual(all.slice(20, 40));
      const back = await list(filter, { limit: 20, before: second.previousCursor as string });
      expect(uidsOf(back), JSON.stringify(filter)).toEqual(all.slice(0, 20));
    }
    expect(full).toBeGreaterThan(40);
    expect(empty).toBeGreaterThan(40);
  });

  test('reads few rows, however many there are and however few match', async () => {
    const most = { rows: 0, filter: {} };
    const others = [{ customerId }, { customerId, type: 'sale' as const }, { search: 'T2025' }, { search: 'B1001' }];
    for (const filter of [...everyFilter(), ...others]) {
      const page = seekPage({ limit: 50 }, newestFirst);
      const rows = await rowsRead((tx) => {
        const { $rows, uid } = findUids(tx, filter, page, {
          timeZone: 'Asia/Singapore',
          dayStartsAt: 0,
          startsAtOfStores: new Map(),
        });
        return tx.db.select({ uid: sql`${uid}` }).from($rows);
      });
      if (rows > most.rows) Object.assign(most, { rows, filter });
    }
    expect(most.rows, JSON.stringify(most.filter)).toBeLessThan(51 * 51);
    // What such a list would read without the indexes, to show that the count is meaningful.
    const { uid, type } = transactions;
    const plain = await rowsRead(({ db }) =>
      db.select({ uid }).from(transactions).where(eq(type, 'redeemPoints')).orderBy(desc(uid)).limit(51),
    );
    expect(plain).toBeGreaterThan(rows / 2);
  });
});

/** Counts the rows that a statement looks at, with the plan that the application uses. */
function rowsRead(statement: (tx: Tx) => PromiseLike<unknown>): Promise<number> {
  return withMerchant(db, merchant.id, async (tx) => {
    const count = async () => {
      const read = sql<number>`seq_tup_read + coalesce(idx_tup_fetch, 0)`;
      const tables = sql`pg_stat_xact_user_tables`;
      return only(await tx.db.select({ read }).from(tables).where(sql`relname = 'transactions'`)).read;
    };
    const before = await count();
    await statement(tx);
    return (await count()) - before;
  });
}

test('a list can be walked to its end, without a gap or a repetition', async () => {
  const filter = { status: 'voided' as const };
  const walked: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list(filter, { limit: 97, ...(after ? { after } : {}) });
    walked.push(...uidsOf(page));
    if (page.nextCursor === null) break;
    after = page.nextCursor;
  }
  expect(walked).toEqual(expected(filter));
});

describe('search', () => {
  test('finds what a transactionId begins with, and tells when there is more', async () => {
    const fact = facts[30_000] as Fact & { transaction_id: string };
    expect(uidsOf(await list({ search: fact.transaction_id }))).toEqual([fact.uid]);
    const ofADay = await list({ search: 'T20250601-' }, { limit: 100 });
    expect(ofADay.isSearchCut).toBe(false);
    const days = ofADay.items.map(({ transactionId }) => transactionId?.slice(0, 10));
    expect(days).toHaveLength(100);
    expect(new Set(days)).toEqual(new Set(['T20250601-']));
    expect(ofADay.nextCursor).not.toBe(null);
    const cut = await list({ search: 'T2025' });
    expect(cut.isSearchCut).toBe(true);
    expect(cut.items).toHaveLength(50);
  });

  test('finds a bill, a uid, and nothing', async () => {
    const bill = await list({ search: 'B1001' });
    expect(bill.items.map(({ billId }) => billId)).toEqual(['B1001']);
    const { uid } = facts[12_345] as Fact;
    expect(uidsOf(await list({ search: uid }))).toEqual([uid]);
    expect(uidsOf(await list({ search: uid.toUpperCase() }))).toEqual([uid]);
    for (const search of ['nothing', '%', 'T2025_', '~', '王', uid.replace('0', 'f')]) {
      expect(uidsOf(await list({ search })), search).toEqual([]);
    }
  });

  test('keeps to the other filters', async () => {
    const { items } = await list({ search: 'T20250601-', type: 'topUp', storeId: merchant.stores[1].id });
    expect(items.length).toBeGreaterThan(10);
    for (const { type, store } of items) expect([type, store?.name]).toEqual(['topUp', 'Store SOUTH']);
  });
});

test('an id that was voided before it was ever seen is listed without a type', async () => {
  const till = await authenticateKey(testServices(db), merchant.stores[0].key);
  await voidTransactions(till, { transactionIds: ['never-seen'] });
  for (const filter of [{}, { status: 'voided' as const }, { search: 'never' }, { storeId: merchant.stores[0].id }]) {
    const { items } = await list(filter, { limit: 1 });
    expect(items[0]).toMatchObject({ transactionId: 'never-seen', type: null, status: 'voided', customer: null });
  }
  const [row] = (await list({}, { limit: 1 })).items;
  await database.owner`delete from transactions where uid = ${row?.uid as string}`;
});

test('another merchant sees nothing of it', async () => {
  const other = await createMerchant(database.owner);
  const stranger = await createStaff(database.owner, testServices(db), other.id, 'owner');
  const { uid } = facts[0] as Fact;
  const filters = [{}, { search: uid }, { search: 'T2025' }, { customerId }, { storeId: merchant.stores[0].id }];
  for (const filter of [...filters, { type: 'sale' as const }]) {
    expect(uidsOf(await list(filter, {}, stranger)), JSON.stringify(filter)).toEqual([]);
  }
});

test('what is no cursor of the list is refused', async () => {
  await expect(list({}, { after: 'nonsense' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('the CSV holds all that the filter does, with amounts in dollars', async () => {
  const filter = { status: 'voided', from: '2025-03-01', until: '2025-12-31' } as const;
  const file = await new Response(transactionsExport.open(ctx, { ...filter, page: '2' })).text();
  const lines: Record<string, string>[] = parse(file, { bom: true, columns: true });
  expect(lines.map(({ uid }) => uid)).toEqual(expected(filter));
  expect(lines[0]).toMatchObject({ status: 'voided', billAmount: '1', currency: 'SGD' });
});
