import { withMerchant } from '@/db/driver';
import type { TestDatabase } from '@/db/testing/database';
import { newCardToken } from '@/server/domain/floor/card-token';
import { startOrdering } from '@/server/domain/floor/start-ordering';
import { openSession } from '@/server/domain/identity/session';
import { newId } from '@/server/domain/kernel/ids';
import { invalidateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { createCallerFactory } from '@/server/trpc/diner/init';
import { dinerRouter } from '@/server/trpc/diner/router';
import { listProcedures } from '@/server/trpc/procedures';
import { openPhone } from '../diners';
import { createCustomer, createMerchant } from '../factory';
import { callAs, createStaff } from '../staff';
import { createTables, openTable } from '../tables';
import { answerTo, badInput, callAt, idsOf, tableOf } from './answers';

/** Valid inputs of procedures that look at the input before the token. */
const inputs: Record<string, () => unknown> = {
  'table.get': () => ({ language: 'en', guestId: newId() }),
  'table.placeOrder': () => ({
    clientOrderId: newId(),
    guestId: newId(),
    lines: [{ plu: 'D001', quantity: 1, unitPrice: 180 }],
  }),
  'table.callStaff': () => ({ kind: 'staff' }),
  'table.withdrawCall': () => ({ kind: 'staff' }),
};

interface Phone {
  token: string | null;
  merchantId: string;
  customer?: { id: string | null; phone: string };
  /** The merchant with which the phone is signed in. */
  signedInWith?: string;
}
type Scene = Awaited<ReturnType<typeof createScene>>;

const phones: Record<string, (scene: Scene) => Promise<Phone>> = {
  'No link': async () => ({ token: null, merchantId: newId() }),
  'Merchant’s page': async ({ merchantId }) => ({ token: null, merchantId }),
  'Table’s card': async ({ merchantId, card }) => ({ token: await card(), merchantId }),
  'By card, waits': async ({ merchantId, waiting }) => ({ token: await waiting(), merchantId }),
  'Open code': async ({ merchantId, open }) => ({ token: await open(), merchantId }),
  'Closed code': async ({ merchantId, closed }) => ({ token: await closed(), merchantId }),
  'Signed in, not joined': async ({ merchantId, open, customer }) => ({
    token: await open(),
    merchantId,
    customer: { id: null, phone: customer.phone },
  }),
  Customer: async ({ merchantId, open, customer }) => ({ token: await open(), merchantId, customer }),
  'Customer, closed code': async ({ merchantId, closed, customer }) => ({
    token: await closed(),
    merchantId,
    customer,
  }),
  'Another merchant’s': async ({ merchantId, open, stranger, other }) => ({
    token: await open(),
    merchantId,
    customer: stranger,
    signedInWith: other.id,
  }),
};

/** Lists which phones may call each procedure for diners. */
export async function dinerTable(database: TestDatabase): Promise<string> {
  const scene = await createScene(database);
  const rows: string[][] = [];
  for (const { path, type, inputs: schemas } of listProcedures(dinerRouter)) {
    // It ends at once for phones to which `table.get` shows no open table.
    if (type === 'subscription') continue;
    const cells: string[] = [];
    for (const make of Object.values(phones)) {
      const caller = await callerOf(scene, await make(scene));
      const answer = await answerTo(callAt(caller, path, (inputs[path] ?? (() => badInput))()));
      cells.push(answer === 'UNAUTHORIZED' ? 'sign in' : answer);
    }
    if (cells[0] === 'yes') throw new Error(`${path} admits everyone: give it a valid input above`);
    rows.push([path, ...cells, idsOf(schemas)]);
  }
  return tableOf(['Procedure', ...Object.keys(phones), 'Ids in the input'], rows);
}

async function createScene(database: TestDatabase) {
  const { owner } = database;
  const tables = await createTables(database);
  const { merchant, services, till, storeId } = tables;
  const other = await createMerchant(owner);
  await owner`
    insert into ordering_settings (merchant_id, table_card_page, updated_at) values (${merchant.id}, 'bill', now())`;
  const manager = await createStaff(owner, services, merchant.id, 'manager');
  const card = async () => {
    const [tableId = ''] = (await callAs(manager).tables.add({ storeId, names: newId().slice(-8) })).tableIds;
    return newCardToken(services.tokenKey, { id: tableId, cardNumber: 1 });
  };
  const open = async () => (await openTable(tables)).token;
  return {
    services,
    merchantId: merchant.id,
    other,
    customer: await createCustomer(owner, merchant.id),
    stranger: await createCustomer(owner, other.id),
    card,
    open,
    waiting: async () => {
      const visit = { token: await card(), client: '192.0.2.1' };
      return (await startOrdering(services, visit)).path.slice('/q/'.length);
    },
    closed: async () => {
      const { token, qrCodeId } = await openTable(tables);
      await invalidateQrCode(till, { qrCodeId });
      return token;
    },
  };
}

let networks = 0;

async function callerOf({ services }: Scene, { token, merchantId, customer, signedInWith = merchantId }: Phone) {
  // Each from a network of its own, because unknown tokens count.
  const client = `10.0.${++networks >> 8}.${networks & 255}`;
  const { session } = openPhone(services, merchantId);
  if (customer) {
    const mark = await withMerchant(services.db, signedInWith, (tx) =>
      openSession(tx, { phone: customer.phone, customerId: customer.id, now: services.systemClock.now() }),
    );
    session.write(signedInWith, mark);
  }
  return createCallerFactory(dinerRouter)({ services, client, tableToken: token, merchantId, session });
}
