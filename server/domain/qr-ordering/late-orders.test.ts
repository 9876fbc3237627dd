/** A POS that polls from its last order gets every order, including one that began earlier and is committed later. */
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import type { PosContext } from '@/server/domain/kernel/context';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { createMenu, createOrder } from '@/server/testing/factory-ordering';
import { authenticateKey } from '../access/authenticate';
import { listOrders } from './orders';
import { generateQrCode } from './qr-codes';

const database = sharedDatabase();
let merchant: TestMerchant;
let till: PosContext;

beforeAll(async () => {
  merchant = await createMerchant(database.owner);
  await createMenu(database.owner, merchant.id);
  till = await authenticateKey(testServices(database.db), merchant.stores[0].key);
});

const newCode = async (billId: string) => (await generateQrCode(till, { billId })).qrCodeId;

const listedIds = async () => (await listOrders(till, { limit: 100 })).items.map(({ orderId }) => orderId);

/** Reads from `after` to the end of the list, like a polling POS. */
async function readOn(after: string | undefined): Promise<{ ids: string[]; cursor: string | undefined }> {
  const ids: string[] = [];
  let cursor = after;
  for (;;) {
    const page = await listOrders(till, { after: cursor, limit: 1 });
    ids.push(...page.items.map(({ orderId }) => orderId));
    if (page.nextCursor === null) return { ids, cursor };
    cursor = page.nextCursor;
  }
}

test('a slowly committed order is not skipped by a POS that has read a later one', async () => {
  const { owner, db } = database;
  // An order with this note pauses between its number and its commit while the test holds the lock.
  await owner.unsafe(`
    create function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(7); return new; end $$;
    create trigger hold after insert on order_lines for each row when (new.quantity = 99) execute function hold()`);
  const [slowCode, quickCode] = [await newCode('slow'), await newCode('quick')];
  const first = await createOrder(db, merchant.id, { qrCodeId: quickCode });
  const holder = await owner.reserve();
  await holder`select pg_advisory_lock(7)`;
  const lines = [{ plu: 'N001', quantity: 99 }];
  const slow = createOrder(db, merchant.id, { qrCodeId: slowCode, lines });
  const waiting = async (count: number) => {
    const [row] = await holder`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.count === count;
  };
  while (!(await waiting(1))) await wait(10);

  let isQuickDone = false;
  const quick = createOrder(db, merchant.id, { qrCodeId: quickCode }).finally(() => {
    isQuickDone = true;
  });
  while (!isQuickDone && !(await waiting(2))) await wait(10);
  const early = await listedIds();

  await holder`select pg_advisory_unlock(7)`;
  holder.release();
  const placed = [first, await slow, await quick].map(({ orderId }) => orderId);
  // The others come after everything listed so far.
  expect([...early, ...(await listedIds()).filter((id) => !early.includes(id))]).toEqual(placed);
  expect(await listedIds()).toEqual(placed);
});

test('40 orders at once, from 8 tables, reach a polling POS: each once, in one order', async () => {
  const codes = await Promise.all(Array.from({ length: 8 }, (_, table) => newCode(`busy-${table}`)));
  let isOver = false;
  const placing = Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      createOrder(database.db, merchant.id, { qrCodeId: codes[n % codes.length] ?? '' }),
    ),
  ).finally(() => {
    isOver = true;
  });
  const read: string[] = [];
  let cursor: string | undefined;
  for (let isLast = false; !isLast; ) {
    isLast = isOver;
    const page = await readOn(cursor);
    // The last page has no cursor, so it is read again, and counts once.
    for (const id of page.ids) if (!read.includes(id)) read.push(id);
    cursor = page.cursor;
  }
  const all = await listedIds();
  expect(read).toEqual(all);
  const ids = (await placing).map(({ orderId }) => orderId);
  expect(all.filter((id) => ids.includes(id)).sort()).toEqual(ids.sort());
});
