/** Diners call staff or ask for the bill. Staff see the call on their board and answer it, which ends it. */
import { describe, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { codeOf } from '@/db/testing/error-code';
import { recordingEvents } from '@/server/testing/factory';
import { createTables, openTable } from '@/server/testing/tables';
import { newId } from '../kernel/ids';
import { closeTableCodes } from './close-several';
import { getOrderBoard } from './order-board';
import { changeOrderingSettings } from './ordering-settings';
import { invalidateQrCode } from './qr-codes';
import { answerCall, callFromTable, callStaff, withdrawCall } from './table-calls';
import { getTablePage } from './table-page';

const database = sharedDatabase();

async function newScene() {
  const tables = await createTables(database, recordingEvents);
  const { merchant, services, cashier, storeId } = tables;
  const table = await openTable(tables);
  const page = async () => {
    const seen = await getTablePage(services, table.visit, 'en');
    return seen.state === 'open' ? seen.calls : seen.state;
  };
  const board = async () => (await getOrderBoard(cashier, { storeId })).calls;
  const events = async () =>
    (
      await database.owner`
        select type, data from events where merchant_id = ${merchant.id} and type like 'table.%' order by id`
    ).map(({ type, data }) => [type, data.kind, data.status]);
  return { ...tables, table, page, board, events };
}

describe('a call', () => {
  test('stands on the board and on every phone until staff answer it', async () => {
    const { services, table, cashier, page, board, events } = await newScene();
    await callFromTable(services, table.visit, { kind: 'staff' });
    await callFromTable(services, { ...table.visit, client: '203.0.113.9' }, { kind: 'bill' });
    expect(await page()).toEqual(['staff', 'bill']);
    const calls = await board();
    expect(calls).toMatchObject([
      { kind: 'staff', status: 'waiting', table: '12', qrCodeId: table.qrCodeId, endedAt: null },
      { kind: 'bill', status: 'waiting' },
    ]);
    const [first] = calls;
    await answerCall(cashier, { callId: first?.callId ?? '' });
    expect(await page()).toEqual(['bill']);
    expect((await board()).map(({ kind }) => kind)).toEqual(['bill']);
    expect(await events()).toEqual([
      ['table.called', 'staff', 'waiting'],
      ['table.called', 'bill', 'waiting'],
      ['table.call_answered', 'staff', 'answered'],
    ]);
    const [row] =
      await database.owner`select answered_by, answered_at from table_calls where id = ${first?.callId ?? ''}`;
    expect(row).toEqual({ answered_by: cashier.staff.userId, answered_at: expect.any(Date) });
    const [entry] =
      await database.owner`select action, actor_id from audit_log where subject_id = ${table.qrCodeId} and actor_kind = 'staff'`;
    expect(entry).toEqual({ action: 'table.answerCall', actor_id: cashier.staff.userId });
  });

  test('that waits is not repeated, however many phones call at once', async () => {
    const { services, table, board, events } = await newScene();
    await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        callFromTable(services, { ...table.visit, client: `203.0.113.${at}` }, { kind: 'staff' }),
      ),
    );
    expect(await board()).toHaveLength(1);
    expect(await events()).toHaveLength(1);
  });

  test('can be taken back, and made again', async () => {
    const { services, table, page, events } = await newScene();
    await callFromTable(services, table.visit, { kind: 'bill' });
    await withdrawCall(services, table.visit, { kind: 'staff' });
    expect(await page()).toEqual(['bill']);
    await withdrawCall(services, table.visit, { kind: 'bill' });
    await withdrawCall(services, table.visit, { kind: 'bill' });
    expect(await page()).toEqual([]);
    await callFromTable(services, table.visit, { kind: 'bill' });
    expect(await page()).toEqual(['bill']);
    expect((await events()).map(([, , status]) => status)).toEqual(['waiting', 'withdrawn', 'waiting']);
  });

  test('is answered once, by whoever is first', async () => {
    const { services, table, cashier, board, events } = await newScene();
    await callFromTable(services, table.visit, { kind: 'staff' });
    const [call] = await board();
    const callId = call?.callId ?? '';
    await Promise.all(Array.from({ length: 4 }, () => answerCall(cashier, { callId })));
    expect(await events()).toHaveLength(2);
    expect(await codeOf(answerCall(cashier, { callId: newId() }))).toBe('table_call_not_found');
  });

  test.each([
    ['the till settles its bill', 'till'],
    ['staff close its code', 'staff'],
  ])('ends when %s, and none can follow', async (_, by) => {
    const { services, table, till, cashier, board, events } = await newScene();
    await callFromTable(services, table.visit, { kind: 'staff' });
    if (by === 'till') await invalidateQrCode(till, { qrCodeId: table.qrCodeId });
    else await closeTableCodes(cashier, { qrCodeIds: [table.qrCodeId] });
    expect(await board()).toEqual([]);
    expect((await events()).at(-1)).toEqual(['table.call_answered', 'staff', 'withdrawn']);
    expect(await codeOf(callFromTable(services, table.visit, { kind: 'staff' }))).toBe('qr_code_closed');
  });

  test('at the moment at which the bill is settled is refused, or ends with it', async () => {
    const { services, table, till, board } = await newScene();
    await Promise.allSettled([
      ...Array.from({ length: 6 }, () => callFromTable(services, table.visit, { kind: 'bill' })),
      invalidateQrCode(till, { qrCodeId: table.qrCodeId }),
    ]);
    expect(await board()).toEqual([]);
  });

  test('is limited for a table and a network, but not for other networks', async () => {
    const { services, table } = await newScene();
    const call = (client: string) => callFromTable(services, { ...table.visit, client }, { kind: 'staff' });
    for (let made = 0; made < 20; made++) await call('203.0.113.1');
    expect(await codeOf(call('203.0.113.1'))).toBe('too_many_attempts');
    expect(await codeOf(call('198.51.100.1'))).toBe('done');
  });

  test('is refused where the merchant takes none, and with a wrong token', async () => {
    const { services, table, cashier, page } = await newScene();
    await changeOrderingSettings(cashier, { callsStaff: false });
    expect(await codeOf(callFromTable(services, table.visit, { kind: 'staff' }))).toBe('table_calls_off');
    const wrong = { token: 'AAAAAAAAAAAAAAAAAAAAAA', client: '203.0.113.77' };
    expect(await codeOf(callFromTable(services, wrong, { kind: 'staff' }))).toBe('qr_code_not_found');
    expect(await page()).toEqual([]);
  });
});

test('of a table without a bill: a call of yesterday is off the board, and a new one takes its place', async () => {
  const { merchant, cashier, storeId, board, events } = await newScene();
  const tableId = newId();
  await database.owner`insert into dining_tables ${database.owner({
    merchant_id: merchant.id,
    id: tableId,
    store_id: storeId,
    name: 'Terrace 3',
    token_hash: Buffer.from(tableId),
  })}`;
  const call = () =>
    withMerchant(database.db, merchant.id, (tx) =>
      callStaff(tx, cashier.merchant, { storeId, tableId }, 'staff', new Date()),
    );
  await call();
  await database.owner`update table_calls set created_at = now() - interval '13 hours' where table_id = ${tableId}`;
  expect(await board()).toEqual([]);
  await call();
  await call();
  expect(await board()).toMatchObject([{ table: 'Terrace 3', qrCodeId: null, billId: null }]);
  expect((await events()).map(([, , status]) => status)).toEqual(['waiting', 'withdrawn', 'waiting']);
});
