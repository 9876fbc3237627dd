import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createTables, openTable } from '@/server/testing/tables';
import { newId } from '../kernel/ids';
import { placeOrder } from './place-order';

const database = sharedDatabase();

test('a bill takes at most 200 orders; repeating the last one is answered', async () => {
  const scene = await createTables(database);
  const code = await openTable(scene);
  await database.owner`
    insert into orders (merchant_id, id, store_id, number, qr_code_id, client_order_id, total, placed_at, updated_at)
    select ${scene.merchant.id}, uuidv7(), ${scene.storeId}, 1000 + n, ${code.qrCodeId}, uuidv7(), 0, now(), now()
    from generate_series(1, 199) n`;
  const place = (clientOrderId: string) =>
    placeOrder(scene.services, code, { clientOrderId, lines: [{ plu: 'D001', quantity: 1, unitPrice: 180 }] });
  const last = newId();
  const placed = await place(last);
  await expect(place(newId())).rejects.toMatchObject({ code: 'qr_code_closed' });
  expect(await place(last)).toEqual(placed);
});
