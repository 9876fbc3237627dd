import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { generateQrCode, invalidateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { createOrder } from '@/server/testing/factory-ordering';
import { createTables } from '@/server/testing/tables';
import { qrCodesExport } from './qr-codes';

const database = sharedDatabase();

test('has the filtered codes, without the URLs that diners scan', async () => {
  const { merchant, cashier, till, storeId } = await createTables(database);
  const open = await generateQrCode(till, { billId: 'B-1', table: '12' });
  const settled = await generateQrCode(till, { billId: 'B-2', table: '7' });
  await createOrder(database.db, merchant.id, { qrCodeId: open.qrCodeId });
  await invalidateQrCode(till, { qrCodeId: settled.qrCodeId });
  const read = async (query: Record<string, string>): Promise<Record<string, string>[]> =>
    parse(await new Response(qrCodesExport.open(cashier, { storeId, ...query })).text(), { columns: true, bom: true });

  const [row, ...others] = await read({});
  expect(row).toMatchObject({ qrCodeId: open.qrCodeId, table: '12', billId: 'B-1', status: 'active', orders: '1' });
  expect(others).toEqual([]);
  expect(await read({ status: 'invalidated' })).toMatchObject([{ billId: 'B-2', orders: '0', total: '0' }]);
  expect((await read({ status: 'all', search: '7' })).map(({ billId }) => billId)).toEqual(['B-2']);
  const token = new URL(open.url).pathname.split('/').at(-1) ?? '';
  expect(Object.values(row ?? {}).join()).not.toContain(token);
  expect(await read({ storeId: (await createTables(database)).storeId })).toEqual([]);
});
