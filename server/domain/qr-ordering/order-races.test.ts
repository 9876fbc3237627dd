/** Concurrent taps, each on its own connection. */

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type Database } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { testServices } from '@/server/testing/factory';
import { createTables, openTable } from '@/server/testing/tables';
import { newId } from '../kernel/ids';
import { placeTableOrder } from './place-order';
import { getQrCode } from './qr-codes';

const taps = 20;

const database = sharedDatabase();
let phones: Database;

beforeAll(async () => {
  phones = connectDatabase(database.url, { role: 'loyalty_app', max: taps, statementTimeoutMs: 20_000 });
  // All connections are open before the race begins.
  await Promise.all(Array.from({ length: taps }, () => phones.pool.run(sql`select from pg_sleep(0.05)`)));
});
afterAll(() => phones.close());

const line = { plu: 'D001', quantity: 1, unitPrice: 180 };

test('20 taps at once are one order with one response', async () => {
  const scene = await createTables(database);
  const { qrCodeId, visit } = await openTable(scene);
  const order = { clientOrderId: newId(), lines: [line] };
  const answers = await Promise.all(
    Array.from({ length: taps }, () => placeTableOrder(testServices(phones), visit, order)),
  );
  const { orders } = await getQrCode(scene.till, { qrCodeId });
  expect(orders).toHaveLength(1);
  expect(answers).toEqual(Array(taps).fill(orders[0]));
});
