import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { testSecret } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { laksaBill } from '@/server/testing/table-bill';
import { createTables } from '@/server/testing/tables';
import { closeBill, voidBill } from '../bills/close';
import { putBill } from '../bills/put';
import { newId } from '../kernel/ids';
import { deriveKeys } from '../kernel/secrets';
import { findCode } from '../qr-ordering';
import { generateQrCode, getQrCode, invalidateQrCode } from '../qr-ordering/qr-codes';
import { getTablePage } from '../qr-ordering/table-page';
import { submitSale } from '../sales/submit';
import { findBillOfCard, getCardPage } from './card-page';
import { cardTokenOf, newCardToken } from './card-token';

const database = sharedDatabase();

/** Creates a merchant with a table 7, and a phone that has opened its card. */
async function newCard() {
  const scene = await createTables(database);
  const { services, merchant, storeId } = scene;
  const manager = await createStaff(database.owner, services, merchant.id, 'manager');
  const { tables } = callAs(manager);
  const [tableId = ''] = (await tables.add({ storeId, names: '7', area: 'Hall' })).tableIds;
  const visit = { token: newCardToken(services.tokenKey, { id: tableId, cardNumber: 1 }), client: '192.0.2.1' };
  const follow = async () => {
    const { path } = await findBillOfCard(services, visit);
    return path === null ? null : { token: path.slice('/q/'.length), client: visit.client };
  };
  const codeAt = async () => {
    const bill = await follow();
    return bill && (await findCode(services, bill));
  };
  return { ...scene, tables, tableId, visit, follow, codeAt, open: () => getCardPage(services, visit, null) };
}

describe('a table’s card', () => {
  test('shows the menu while no bill is open, and leads to each bill in turn', async () => {
    const { till, open, follow, codeAt, services } = await newCard();
    expect(await open()).toMatchObject({ state: 'menu', table: '7', categories: [{ items: expect.any(Array) }] });
    expect(await follow()).toBeNull();
    const first = await generateQrCode(till, { billId: 'B-1', table: '7' });
    expect(await codeAt()).toMatchObject({ qrCodeId: first.qrCodeId, byCard: true });
    const bill = await follow();
    expect(await open()).toEqual({ state: 'bill', path: `/q/${bill?.token}` });
    expect(bill && (await getTablePage(services, bill, null)).state).toBe('open');
    await invalidateQrCode(till, { billId: 'B-1' });
    expect((await open()).state).toBe('menu');
    expect(bill && (await getTablePage(services, bill, null)).state).toBe('settled');
    const second = await generateQrCode(till, { billId: 'B-2', table: '7' });
    expect((await codeAt())?.qrCodeId).toBe(second.qrCodeId);
  });

  test('knows its table as tills write it, and no other table', async () => {
    const { till, codeAt } = await newCard();
    await generateQrCode(till, { billId: 'B-1', table: '17' });
    await generateQrCode(till, { billId: 'B-2' });
    expect(await codeAt()).toBeNull();
    const { qrCodeId } = await generateQrCode(till, { billId: 'B-3', table: ' 7 ' });
    expect((await codeAt())?.qrCodeId).toBe(qrCodeId);
  });

  test('leads to the newest of two open bills, and to none that has expired', async () => {
    const { till, codeAt } = await newCard();
    await generateQrCode(till, { billId: 'B-1', table: '7' });
    const { qrCodeId } = await generateQrCode(till, { billId: 'B-2', table: '7' });
    expect((await codeAt())?.qrCodeId).toBe(qrCodeId);
    await database.owner`update qr_codes set expires_at = now() - interval '1 minute' where id = ${qrCodeId}`;
    expect((await codeAt())?.qrCodeId).not.toBe(qrCodeId);
  });

  test.each(['close', 'void', 'sale', 'sale without a bill'])(
    'forgets a bill that ended by %s, while the phones of its guests stay on their page',
    async (end) => {
      const { till, open, follow, codeAt, services } = await newCard();
      const lunch = await generateQrCode(till, { billId: 'B-1', table: '7' });
      if (end !== 'sale without a bill') await putBill(till, { ...laksaBill('B-1'), table: '7' });
      const phone = await follow();
      if (end === 'close') await closeBill(till, { billId: 'B-1' });
      else if (end === 'void') await voidBill(till, { billId: 'B-1' });
      else await submitSale(till, saleOf('B-1'));
      expect((await open()).state).toBe('menu');
      expect(await follow()).toBeNull();
      expect(phone && (await getTablePage(services, phone, null)).state).toBe('open');
      // The same number, for the next guests: its code is a new one.
      const dinner = await generateQrCode(till, { billId: 'B-1', table: '7' });
      expect(dinner.qrCodeId).not.toBe(lunch.qrCodeId);
      expect(await codeAt()).toMatchObject({ qrCodeId: dinner.qrCodeId, waits: true });
      expect(phone && (await getTablePage(services, phone, null)).state).toBe('expired');
    },
  );

  test('leads to the bill at its new table once the till has moved it; phones, orders and guests move along', async () => {
    const { till, tables, storeId, follow, codeAt, open, services } = await newCard();
    const [eight = ''] = (await tables.add({ storeId, names: '8' })).tableIds;
    const cardOfEight = { token: newCardToken(services.tokenKey, { id: eight, cardNumber: 1 }), client: '192.0.2.1' };
    const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '7', guests: 2 });
    await putBill(till, { ...laksaBill('B-1'), table: '7' });
    const phone = await follow();
    const moved = { ...laksaBill('B-1', 2), table: '8', guests: 4 };
    for (const _ of [1, 2]) await putBill(till, moved);
    expect(await codeAt()).toBeNull();
    expect((await open()).state).toBe('menu');
    const { path } = await findBillOfCard(services, cardOfEight);
    expect(path).toBe(`/q/${phone?.token}`);
    expect(phone && (await getTablePage(services, phone, null))).toMatchObject({ state: 'open', table: '8' });
    expect(await getQrCode(till, { qrCodeId })).toMatchObject({ table: '8', guests: 4 });
    // Without a table, it stays where it is. A revision that comes late moves nothing.
    const { table: _table, ...unnamed } = laksaBill('B-1', 3);
    await putBill(till, unnamed);
    await expect(putBill(till, { ...moved, table: '9' })).rejects.toMatchObject({ code: 'bill_revision_outdated' });
    expect(await getQrCode(till, { qrCodeId })).toMatchObject({ table: '8', guests: 4 });
  });

  test('keeps a bill whose number was sold before its code was opened', async () => {
    const { till, codeAt } = await newCard();
    const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '7' });
    const before = new Date(Date.now() - 60_000).toISOString();
    await submitSale(till, { ...saleOf('B-1'), occurredAt: before });
    expect((await codeAt())?.qrCodeId).toBe(qrCodeId);
  });

  test('leads the next guests to no bill that begins anew under the old code', async () => {
    const { till, follow, services } = await newCard();
    await generateQrCode(till, { billId: 'B-1', table: '7' });
    await putBill(till, { ...laksaBill('B-1'), table: '7' });
    const phone = await follow();
    await closeBill(till, { billId: 'B-1' });
    await putBill(till, { ...laksaBill('B-1'), table: '7', openedAt: new Date().toISOString() });
    expect(await follow()).toBeNull();
    expect(phone && (await getTablePage(services, phone, null)).state).toBe('expired');
  });

  test('never hands out the token of the bill’s own code, nor one that can be changed into another', async () => {
    const { till, follow, services } = await newCard();
    const { url } = await generateQrCode(till, { billId: 'B-1', table: '7' });
    const bill = await follow();
    expect(url).not.toContain(bill?.token);
    const own = { token: url.split('/q/')[1] ?? '', client: '192.0.2.1' };
    expect((await findCode(services, own))?.byCard).toBe(false);
    for (const at of [0, 20, 30, 50, 63]) {
      const token = [...(bill?.token ?? '')].map((letter, n) => (n === at ? (letter === 'A' ? 'B' : 'A') : letter));
      expect(await findCode(services, { token: token.join(''), client: '192.0.2.1' })).toBeNull();
    }
  });

  test('says that the merchant or store is closed, and nothing of an unknown card', async () => {
    const { merchant, storeId, open, services } = await newCard();
    await database.owner`update stores set closed_at = now() where id = ${storeId}`;
    expect(await open()).toMatchObject({ state: 'closed' });
    await database.owner`update stores set closed_at = null where id = ${storeId}`;
    await database.owner`update merchants set closed_at = now() where id = ${merchant.id}`;
    expect(await open()).toMatchObject({ state: 'closed' });
    const unknown = { token: 'x'.repeat(22), client: '192.0.2.7' };
    expect(await getCardPage(services, unknown, null)).toEqual({ state: 'unknown', retryAfterSeconds: null });
    await expect(findBillOfCard(services, unknown)).rejects.toMatchObject({ code: 'table_not_found' });
  });

  test('works on when the secret was replaced; it can be printed again only while the old one is accepted', async () => {
    const { services, visit, tableId } = await newCard();
    const card = { id: tableId, cardNumber: 1, tokenHash: await tokenHashOf(tableId) };
    const both = { ...services, ...deriveKeys('another secret', testSecret) };
    const newOnly = { ...services, ...deriveKeys('another secret') };
    expect((await getCardPage(newOnly, visit, null)).state).toBe('menu');
    expect(cardTokenOf(both.tokenKey, card)).toBe(visit.token);
    expect(cardTokenOf(newOnly.tokenKey, card)).toBeNull();
  });
});

const saleOf = (billId: string) => {
  const { revision, currency, table, ...bill } = laksaBill(billId);
  const payments = [{ method: 'cash', amount: bill.total }];
  return { ...bill, transactionId: newId(), payments, closedAt: new Date().toISOString() };
};

async function tokenHashOf(tableId: string): Promise<Buffer> {
  const [row] = await database.owner<{ tokenHash: Buffer }[]>`
    select token_hash as "tokenHash" from dining_tables where id = ${tableId}`;
  return row?.tokenHash ?? Buffer.alloc(0);
}
