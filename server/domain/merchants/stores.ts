import type { Row } from 'postgres';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import { DomainError, invalid } from '../core/errors';
import { newId } from '../core/ids';
import type { StaffContext } from '../staff/context';
import type { ChangeStoreInput, StoreDetails } from './schemas';
import { noSuchStore } from './store';

const maxStores = 1_000;

/** All stores of the merchant, open ones first, by code. */
export async function listStores({ db, merchant }: StaffContext) {
  const rows = await withMerchant(
    db,
    merchant.id,
    (tx) => tx.sql`
      select s.id, s.store_code, s.name, s.closed_at, ${isUsed(tx)} as is_used from stores s
      where s.merchant_id = ${tx.merchantId} order by s.closed_at is not null, s.store_code limit ${maxStores}`,
  );
  return {
    stores: rows.map((row) => ({
      storeId: row.id as string,
      storeCode: row.store_code as string,
      name: row.name as string,
      closedAt: row.closed_at as Date | null,
      /** Its tills send it: it can't change any more. */
      codeIsFixed: row.is_used as boolean,
    })),
  };
}

/** Whether a POS has ever named the store `s`: in a transaction or for a QR code. */
const isUsed = ({ merchantId, sql }: Tx) => sql`(
  exists (select from transactions t where t.merchant_id = ${merchantId} and t.store_id = s.id)
  or exists (select from qr_codes q where q.merchant_id = ${merchantId} and q.store_id = s.id))`;

/** Opens a store. Errors: `invalid_request` where the code is another store's, or there are 1,000. */
export async function createStore(ctx: StaffContext, { storeCode, name }: StoreDetails): Promise<{ storeId: string }> {
  const storeId = newId();
  await withUniqueCode(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const [row] = await sql`select count(*)::int as stores from stores where merchant_id = ${merchantId}`;
    if (row?.stores >= maxStores) throw invalid('storeCode', `can not be added: a merchant has at most 1,000 stores`);
    await sql`
      insert into stores (merchant_id, id, store_code, name, created_at)
      values (${merchantId}, ${storeId}, ${storeCode}, ${name}, ${ctx.clock.now()})`;
    await Promise.all([
      auditStaff(tx, ctx, 'store.create', { kind: 'store', id: storeId }, { after: { storeCode, name } }),
      announce(tx, 'stores'),
    ]);
  });
  return { storeId };
}

/**
 * Changes the fields given. Errors: `store_not_found`, `invalid_request` where the code is another store's, or tills use
 * the present one.
 */
export async function changeStore(ctx: StaffContext, { storeId, ...input }: ChangeStoreInput): Promise<void> {
  await withUniqueCode(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const row = await lockStore(tx, storeId);
    const before = { storeCode: row.store_code, name: row.name };
    const after = { storeCode: input.storeCode ?? before.storeCode, name: input.name ?? before.name };
    const isNewCode = after.storeCode !== before.storeCode;
    if (!isNewCode && after.name === before.name) return;
    if (isNewCode && row.is_used) {
      throw invalid('storeCode', 'can not change any more: the store has transactions or QR codes');
    }
    await sql`
      update stores set store_code = ${after.storeCode}, name = ${after.name}
      where merchant_id = ${merchantId} and id = ${storeId}`;
    await Promise.all([
      auditStaff(tx, ctx, 'store.change', { kind: 'store', id: storeId }, { before, after }),
      announce(tx, 'stores'),
    ]);
  });
}

/**
 * Closes a store: from the next request on no POS may speak for it, and its keys do not work. Again: nothing changes.
 * Errors: `store_not_found`, `store_in_use` while diners can order there.
 */
export function closeStore(ctx: StaffContext, { storeId }: { storeId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const store = await lockStore(tx, storeId);
    if (store.closed_at !== null) return;
    const now = ctx.clock.now();
    const [open] = await sql`
      select count(*)::int as codes from qr_codes
      where merchant_id = ${merchantId} and store_id = ${storeId} and status = 'active' and expires_at > ${now}`;
    if (open?.codes > 0) {
      const message = `${store.name} has ${open?.codes} active QR codes. Settle or invalidate them, then close the store.`;
      throw new DomainError('store_in_use', message, { activeQrCodes: open?.codes });
    }
    await setClosed(tx, ctx, storeId, now);
  });
}

/** Opens a closed store again; its keys work as before. Errors: `store_not_found`. */
export function reopenStore(ctx: StaffContext, { storeId }: { storeId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const store = await lockStore(tx, storeId);
    if (store.closed_at !== null) await setClosed(tx, ctx, storeId, null);
  });
}

async function setClosed(tx: Tx, ctx: StaffContext, storeId: string, closedAt: Date | null): Promise<void> {
  const { merchantId, sql } = tx;
  await Promise.all([
    sql`update stores set closed_at = ${closedAt} where merchant_id = ${merchantId} and id = ${storeId}`,
    auditStaff(tx, ctx, closedAt ? 'store.close' : 'store.reopen', { kind: 'store', id: storeId }),
    announce(tx, 'stores'),
  ]);
}

/**
 * The store, which nobody else changes, refers to or opens a code at meanwhile: those under way are waited for. Errors:
 * `store_not_found`.
 */
async function lockStore(tx: Tx, storeId: string): Promise<Row> {
  const [row] = await tx.sql`
    select s.store_code, s.name, s.closed_at, ${isUsed(tx)} as is_used from stores s
    where s.merchant_id = ${tx.merchantId} and s.id = ${storeId} for update`;
  if (!row) throw noSuchStore();
  return row;
}

async function withUniqueCode(ctx: StaffContext, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await withMerchant(ctx.db, ctx.merchant.id, work);
  } catch (error) {
    throw isUniqueViolation(error, 'stores_store_code') ? invalid('storeCode', 'is the code of another store') : error;
  }
}
