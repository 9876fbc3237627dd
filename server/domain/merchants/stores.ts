import { and, count, eq, exists, gt, isNull, or, sql } from 'drizzle-orm';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { diningTables, qrCodes, stores, transactions } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import type { ChangeStoreInput, StoreDetails } from './schemas';
import { noSuchStore } from './store';

const maxStores = 1_000;

/** Lists the merchant's stores, open ones first, by code. */
export async function listStores({ db, merchant }: StaffContext) {
  const rows = await withMerchant(
    db,
    merchant.id,
    async (tx) =>
      await tx.db
        .select({
          storeId: stores.id,
          storeCode: stores.storeCode,
          name: stores.name,
          address: stores.address,
          phone: stores.phone,
          dayStartsAt: stores.dayStartsAt,
          closedAt: stores.closedAt,
          /** True if tills use the code. Then it can no longer change. */
          isCodeFixed: isUsed(tx),
          /** True if it has a list of tables, which means that guests order there. */
          hasTables: hasTables(tx),
        })
        .from(stores)
        .where(eq(stores.merchantId, tx.merchantId))
        .orderBy(sql`${stores.closedAt} is not null`, stores.storeCode)
        .limit(maxStores),
  );
  return { stores: rows };
}

function hasTables({ merchantId, db }: Tx) {
  const { id, storeId, removedAt } = diningTables;
  const onFloor = db
    .select({ id })
    .from(diningTables)
    .where(and(eq(diningTables.merchantId, merchantId), eq(storeId, stores.id), isNull(removedAt)));
  return sql<boolean>`${exists(onFloor)}`;
}

/** True if a POS has ever named the store, in a transaction or for a QR code. */
function isUsed({ merchantId, db }: Tx) {
  const inTransaction = db
    .select({ uid: transactions.uid })
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), eq(transactions.storeId, stores.id)));
  const forCode = db
    .select({ id: qrCodes.id })
    .from(qrCodes)
    .where(and(eq(qrCodes.merchantId, merchantId), eq(qrCodes.storeId, stores.id)));
  return sql<boolean>`${or(exists(inTransaction), exists(forCode))}`;
}

const isStore = (merchantId: string, storeId: string) => and(eq(stores.merchantId, merchantId), eq(stores.id, storeId));

/**
 * Creates a store. Errors: `invalid_request` if another store has the code in any letter case, or at 1,000 stores.
 */
export async function createStore(ctx: StaffContext, details: StoreDetails): Promise<{ storeId: string }> {
  const storeId = newId();
  await withUniqueCode(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const all = only(await db.select({ count: count() }).from(stores).where(eq(stores.merchantId, merchantId)));
    if (all.count >= maxStores) throw invalid('storeCode', say('tooManyStores'));
    await db.insert(stores).values({ merchantId, id: storeId, ...details, createdAt: ctx.clock.now() });
    await Promise.all([
      auditStaff(tx, ctx, 'store.create', { kind: 'store', id: storeId }, { after: details }),
      announceChange(tx, 'stores'),
    ]);
  });
  return { storeId };
}

/**
 * Changes the given fields. Errors: `store_not_found`, `invalid_request` if another store has the code, or tills use
 * the current one.
 */
export async function changeStore(ctx: StaffContext, { storeId, ...input }: ChangeStoreInput): Promise<void> {
  await withUniqueCode(ctx, async (tx) => {
    const { isUsed: isCodeFixed, closedAt, ...before } = await lockStore(tx, storeId);
    const after = {
      storeCode: input.storeCode ?? before.storeCode,
      name: input.name ?? before.name,
      address: input.address ?? before.address,
      phone: input.phone ?? before.phone,
      dayStartsAt: input.dayStartsAt === undefined ? before.dayStartsAt : input.dayStartsAt,
    };
    const fields = (Object.keys(before) as (keyof StoreDetails)[]).filter((field) => after[field] !== before[field]);
    if (fields.length === 0) return;
    const isNewCode = fields.includes('storeCode');
    if (isNewCode && isCodeFixed) throw invalid('storeCode', say('storeCodeFixed'));
    const change = isNewCode ? { ...after, isCodeShared: false } : after;
    await tx.db.update(stores).set(change).where(isStore(tx.merchantId, storeId));
    await Promise.all([
      auditStaff(tx, ctx, 'store.change', { kind: 'store', id: storeId }, { before, after }),
      announceChange(tx, 'stores'),
    ]);
  });
}

/**
 * Closes a store. From the next request on, its keys do not work and no POS can make requests for it. Closing it again
 * does nothing. Errors: `store_not_found`, `store_in_use` while diners can order there.
 */
export function closeStore(ctx: StaffContext, { storeId }: { storeId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { name, closedAt } = await lockStore(tx, storeId);
    if (closedAt !== null) return;
    const now = ctx.clock.now();
    const activeQrCodes = await countOpenCodes(tx, storeId, now);
    if (activeQrCodes > 0) {
      throw new DomainError('store_in_use', say('storeInUse', { store: name, count: activeQrCodes }), {
        activeQrCodes,
      });
    }
    await setClosed(tx, ctx, storeId, now);
  });
}

async function countOpenCodes({ merchantId, db }: Tx, storeId: string, now: Date): Promise<number> {
  const open = await db
    .select({ codes: count() })
    .from(qrCodes)
    .where(
      and(
        eq(qrCodes.merchantId, merchantId),
        eq(qrCodes.storeId, storeId),
        eq(qrCodes.status, 'active').inlineParams(),
        gt(qrCodes.expiresAt, now),
      ),
    );
  return only(open).codes;
}

/** Reopens a store. Its keys work as before. Errors: `store_not_found`. */
export function reopenStore(ctx: StaffContext, { storeId }: { storeId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { closedAt } = await lockStore(tx, storeId);
    if (closedAt !== null) await setClosed(tx, ctx, storeId, null);
  });
}

async function setClosed(tx: Tx, ctx: StaffContext, storeId: string, closedAt: Date | null): Promise<void> {
  await Promise.all([
    tx.db.update(stores).set({ closedAt }).where(isStore(tx.merchantId, storeId)),
    auditStaff(tx, ctx, closedAt ? 'store.close' : 'store.reopen', { kind: 'store', id: storeId }),
    announceChange(tx, 'stores'),
  ]);
}

/**
 * Locks the store against concurrent changes, references and new codes, and waits for those in progress. Errors:
 * `store_not_found`.
 */
async function lockStore(tx: Tx, storeId: string) {
  const { storeCode, name, address, phone, dayStartsAt, closedAt } = stores;
  const [store] = await tx.db
    .select({ storeCode, name, address, phone, dayStartsAt, closedAt, isUsed: isUsed(tx) })
    .from(stores)
    .where(isStore(tx.merchantId, storeId))
    .for('update');
  if (!store) throw noSuchStore();
  return store;
}

const uniqueCodes = ['stores_store_code', 'stores_code_in_any_case'];

async function withUniqueCode(ctx: StaffContext, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await withMerchant(ctx.db, ctx.merchant.id, work);
  } catch (error) {
    const isTaken = uniqueCodes.some((constraint) => isUniqueViolation(error, constraint));
    throw isTaken ? invalid('storeCode', say('storeCodeTaken')) : error;
  }
}
