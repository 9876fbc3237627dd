/** Tables' codes for staff: listing, viewing, creating, closing and printing. */

import { randomInt } from 'node:crypto';
import { and, count, desc, eq, getTableName, gt, lte, ne, not, or, type SQL, type Subquery, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { orders, qrCodes, stores } from '@/db/schema';
import { hasEndedBill } from '../bills';
import { auditStaff } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';
import { type Page, seekPage, seekSql, toPage } from '../kernel/page';
import { noSuchStore } from '../merchants';
import { codeColumns, codeUrl, describeCode, openCode, prolongedCode, qrCodeNotFound } from './bill-code';
import { svgOf } from './code-images';
import { isAnnounced, ordersOf } from './orders';
import type { Order, QrCode, QrCodeListInput, TableCodeInput } from './schemas';

const newestFirst = { columns: [qrCodes.id], descending: true };

/** Orders that are neither served nor cancelled, and their total in minor units. */
interface Unserved {
  count: number;
  total: number;
}

export interface ListedCode extends Omit<QrCode, 'orders'> {
  /** Not counting cancelled orders. */
  orderCount: number;
  /** The total of those orders, in minor units. */
  total: number;
  unserved: Unserved;
}

/** Lists a store's codes, newest first. Errors: `invalid_request` for a cursor of another list. */
export function listQrCodes(ctx: StaffContext, input: QrCodeListInput): Promise<Page<ListedCode>> {
  const page = seekPage(input, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { db } = tx;
    const now = ctx.clock.now();
    const { where, orderBy, inOrder, limit } = seekSql(page, newestFirst);
    const columns = { ...codeColumns, merchantId: qrCodes.merchantId };
    const parts = rangesOf(tx, input, now).map(({ from, isIn }) =>
      db
        .select(columns)
        .from(from)
        .where(and(isIn, where))
        .orderBy(...orderBy)
        .limit(limit),
    );
    const code = db.$with('code', columns).as(sql.join(parts, sql` union `));
    const ordered = db
      .select({
        orderCount: count().as('order_count'),
        total: sql<number>`coalesce(sum(${orders.total}), 0)::bigint`.as('order_total'),
        unservedCount: sql<number>`count(*) filter (where ${isUnserved})`.as('unserved_count'),
        unservedTotal: sql<number>`coalesce(sum(${orders.total}) filter (where ${isUnserved}), 0)::bigint`.as(
          'unserved_total',
        ),
      })
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, code.merchantId),
          eq(orders.qrCodeId, code.id),
          isAnnounced,
          ne(orders.status, 'cancelled').inlineParams(),
        ),
      )
      .as('ordered');
    const { orderCount, total, unservedCount, unservedTotal } = ordered;
    const rows = await db
      .with(code)
      .select({
        ...code._.selectedFields,
        orderCount,
        total,
        unserved: { count: unservedCount, total: unservedTotal },
      })
      .from(code)
      .crossJoinLateral(ordered)
      .orderBy(inOrder(code.id))
      .limit(limit);
    return toPage(
      rows,
      page,
      ({ id }) => [id],
      ({ orderCount, total, unserved, ...row }) => ({ ...describeCode(row, now), orderCount, total, unserved }),
    );
  });
}

const isUnserved = ne(orders.status, 'served').inlineParams();

/** A condition on codes, and the name of its subquery. */
interface Range {
  from: typeof qrCodes | Subquery;
  isIn: SQL | undefined;
}

/**
 * Splits the list into parts that an index can answer. Open codes past their time count as expired, even if not yet
 * marked.
 */
function rangesOf(tx: Tx, { storeId, status, search }: QrCodeListInput, now: Date): Range[] {
  const isOfStore = and(eq(qrCodes.merchantId, tx.merchantId), eq(qrCodes.storeId, storeId));
  const isUnsettled = ne(qrCodes.status, 'invalidated').inlineParams();
  const isOver = or(eq(qrCodes.status, 'expired').inlineParams(), lte(qrCodes.expiresAt, now));
  const active = { from: activeCodes(tx, storeId, now).as(getTableName(qrCodes)), isIn: undefined };
  const settled = { from: qrCodes, isIn: and(isOfStore, eq(qrCodes.status, 'invalidated').inlineParams()) };
  const unsettled = { from: qrCodes, isIn: and(isOfStore, isUnsettled) };
  const expired = { from: qrCodes, isIn: and(isOfStore, isUnsettled, isOver) };
  const byStatus = { active: [active], invalidated: [settled], expired: [expired], all: [settled, unsettled] };
  const parts: Range[] = byStatus[status];
  if (search === undefined) return parts;
  return parts.flatMap(({ from, isIn }) => [
    { from, isIn: and(isIn, eq(qrCodes.billId, search)) },
    { from, isIn: and(isIn, eq(qrCodes.table, search)) },
  ]);
}

/** More than a store has tables. */
const maxActiveCodes = 1_000;

const activeCodes = ({ merchantId, db }: Tx, storeId: string, now: Date) =>
  db
    .select()
    .from(qrCodes)
    .where(
      and(
        eq(qrCodes.merchantId, merchantId),
        eq(qrCodes.storeId, storeId),
        eq(qrCodes.status, 'active').inlineParams(),
        gt(qrCodes.expiresAt, now),
      ),
    )
    .orderBy(desc(qrCodes.expiresAt))
    .limit(maxActiveCodes);

/** Lists a store's open codes whose bills have not ended. If a table has several, its card opens the last of them. */
export function listOpenCodes(tx: Tx, storeId: string, now: Date) {
  const active = activeCodes(tx, storeId, now).as('active');
  return tx.db
    .select({
      qrCodeId: active.id,
      billId: active.billId,
      table: active.table,
      guests: active.guests,
      createdAt: active.createdAt,
    })
    .from(active)
    .where(not(hasEndedBill(tx.db, active)))
    .orderBy(eq(active.openedBy, 'till').inlineParams(), active.id);
}

export interface TableCode extends QrCode {
  store: { id: string; name: string };
  /** The total of the orders that are not cancelled, in minor units. */
  total: number;
  unserved: Unserved;
  /** The ordering page's URL, and its QR code as SVG, while it takes orders. */
  scan: { url: string; imageSvg: string } | null;
}

const sumTotals = (orders: Order[]): number => orders.reduce((sum, { total }) => sum + total, 0);

/** Returns a code with its orders and totals. Errors: `qr_code_not_found`. */
export async function getTableCode(ctx: StaffContext, { qrCodeId }: { qrCodeId: string }): Promise<TableCode> {
  const { code, url } = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const [row] = await db
      .select({ ...codeColumns, tokenHash: qrCodes.tokenHash, store: { id: stores.id, name: stores.name } })
      .from(qrCodes)
      .innerJoin(stores, and(eq(stores.merchantId, qrCodes.merchantId), eq(stores.id, qrCodes.storeId)))
      .where(and(eq(qrCodes.merchantId, merchantId), eq(qrCodes.id, qrCodeId)));
    if (!row) throw qrCodeNotFound();
    return {
      code: {
        ...describeCode(row, ctx.clock.now()),
        store: row.store,
        orders: await ordersOf(tx, row.id),
      },
      url: codeUrl(ctx, row),
    };
  });
  const ordered = code.orders.filter(({ status }) => status !== 'cancelled');
  const unserved = ordered.filter(({ status }) => status !== 'served');
  return {
    ...code,
    total: sumTotals(ordered),
    unserved: { count: unserved.length, total: sumTotals(unserved) },
    scan: code.status === 'active' ? { url, imageSvg: await svgOf(url) } : null,
  };
}

/**
 * Creates a table's code, for a till's bill number or one of our own. An open bill keeps its code: see `isNew`. Errors:
 * `store_not_found`.
 */
export async function generateTableCode(
  ctx: StaffContext,
  { storeId, table, guests, openHours, ...input }: TableCodeInput,
): Promise<{ qrCodeId: string; isNew: boolean }> {
  const request = { billId: input.billId ?? newBillNumber(), table, guests, expiresInMinutes: openHours * 60 };
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const opened = await openCode(tx, ctx, storeId, request);
    const { id, isNew, prolongedFrom } = opened;
    const subject = { kind: 'qrCode', id };
    if (isNew) await auditStaff(tx, ctx, 'qrCode.generate', subject, { after: { storeId, ...request } });
    if (prolongedFrom) await auditStaff(tx, ctx, 'qrCode.prolong', subject, prolongedCode(opened));
    return { qrCodeId: id, isNew };
  });
}

/**
 * Creates a bill number unknown to tills: `T-` and eight letters and digits that are easy to tell apart when read out.
 */
export function newBillNumber(): string {
  const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  return `T-${Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
}

const maxCards = 100;

export interface TableCard {
  qrCodeId: string;
  table: string | null;
  billId: string;
  scan: { url: string; imageSvg: string };
}

/**
 * Returns the codes to print, by table: up to a hundred of a store's active codes, the requested ones first, then the
 * newest. `isCut` if there are more. Errors: `store_not_found`.
 */
export async function listTableCards(
  ctx: StaffContext,
  { storeId, qrCodeIds }: { storeId: string; qrCodeIds: string[] },
): Promise<{ storeName: string; cards: TableCard[]; isCut: boolean }> {
  const [store, codes] = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const active = activeCodes(tx, storeId, ctx.clock.now()).as('active');
    const [[name], rows] = await Promise.all([
      db
        .select({ name: stores.name })
        .from(stores)
        .where(and(eq(stores.merchantId, merchantId), eq(stores.id, storeId))),
      db
        .select({ id: active.id, tokenHash: active.tokenHash, billId: active.billId, table: active.table })
        .from(active)
        .orderBy(desc(anyOf(active.id, qrCodeIds)), desc(active.id))
        .limit(maxCards + 1),
    ]);
    return [name, rows] as const;
  });
  if (!store) throw noSuchStore();
  const cards = await Promise.all(
    codes.slice(0, maxCards).map(async ({ billId, table, ...code }) => {
      const url = codeUrl(ctx, code);
      return { qrCodeId: code.id, table, billId, scan: { url, imageSvg: await svgOf(url) } };
    }),
  );
  const { compare } = new Intl.Collator(ctx.merchant.locale, { numeric: true });
  cards.sort((a, b) => compare(a.table ?? a.billId, b.table ?? b.billId));
  return { storeName: store.name, cards, isCut: codes.length > maxCards };
}
