/** Tables' codes as the staff sees them: listed, looked at, made, closed and printed. */
import { randomInt } from 'node:crypto';
import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { type Page, seek, seekSql, toPage } from '../core/page';
import { noSuchStore } from '../merchants/store';
import type { StaffContext } from '../staff/context';
import { codeColumns, codeUrl, describeCode, openCode, prolonging, qrCodeNotFound, svgOf } from './bill-code';
import { ordersOf } from './orders';
import type { Order, QrCode, QrCodeListInput, TableCodeInput } from './schemas';

const newestFirst = { columns: ['id'], descending: true };

/** Orders that are neither served nor cancelled, and what they come to in minor units. */
interface Unserved {
  count: number;
  total: number;
}

export interface ListedCode extends Omit<QrCode, 'orders'> {
  /** Without cancelled ones. */
  orderCount: number;
  /** The sum of those orders, in minor units. */
  total: number;
  unserved: Unserved;
}

/** A store's codes, newest first. Errors: `invalid_request` for a foreign cursor. */
export function listQrCodes(ctx: StaffContext, input: QrCodeListInput): Promise<Page<ListedCode>> {
  const page = seek(input, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { sql } = tx;
    const now = ctx.clock.now();
    const { where, orderBy, limit } = seekSql(tx, page, newestFirst);
    const ranges = rangesOf(tx, input, now).map(
      (range, at) => sql`
        ${at === 0 ? sql`` : sql`union`} (
          select ${sql.unsafe(codeColumns)}, merchant_id from ${range} and ${where} order by ${orderBy} ${limit})`,
    );
    const rows = await sql`
      select q.*, o.* from (${ranges}) q
      cross join lateral (
        select count(*)::int as order_count, coalesce(sum(total), 0)::bigint as total,
          count(*) filter (where status <> 'served')::int as unserved_count,
          coalesce(sum(total) filter (where status <> 'served'), 0)::bigint as unserved_total
        from orders
        where merchant_id = q.merchant_id and qr_code_id = q.id and status <> 'cancelled'
      ) o
      order by ${orderBy} ${limit}`;
    const toCode = (row: Row) => ({
      ...describeCode(row, now),
      orderCount: row.order_count,
      total: row.total,
      unserved: { count: row.unserved_count, total: row.unserved_total },
    });
    return toPage(rows, page, ({ id }) => [id], toCode);
  });
}

/** The list in parts, each of which an index answers. What is open past its time is expired, though nobody wrote so. */
function rangesOf(tx: Tx, { storeId, status, search }: QrCodeListInput, now: Date): Fragment[] {
  const { merchantId, sql } = tx;
  const codes = sql`qr_codes where merchant_id = ${merchantId} and store_id = ${storeId}`;
  const byStatus = {
    active: [sql`(${activeCodes(tx, storeId, now)}) active where true`],
    invalidated: [sql`${codes} and status = 'invalidated'`],
    expired: [sql`${codes} and status <> 'invalidated' and (status = 'expired' or expires_at <= ${now})`],
    all: [sql`${codes} and status = 'invalidated'`, sql`${codes} and status <> 'invalidated'`],
  }[status];
  if (search === undefined) return byStatus;
  return byStatus.flatMap((part) => [sql`${part} and bill_id = ${search}`, sql`${part} and table_name = ${search}`]);
}

/** More tables than a store has. */
const mostActive = 1_000;

const activeCodes = ({ merchantId, sql }: Tx, storeId: string, now: Date): Fragment => sql`
  select * from qr_codes
  where merchant_id = ${merchantId} and store_id = ${storeId} and status = 'active' and expires_at > ${now}
  order by expires_at desc limit ${mostActive}`;

export interface TableCode extends QrCode {
  store: { id: string; name: string };
  /** The sum of the orders that are not cancelled, in minor units. */
  total: number;
  unserved: Unserved;
  /** The ordering page and its code as an SVG document, while it takes orders. */
  scan: { url: string; imageSvg: string } | null;
}

const totalOf = (orders: Order[]): number => orders.reduce((sum, { total }) => sum + total, 0);

/** A code with its orders and what they come to. Errors: `qr_code_not_found`. */
export async function getTableCode(ctx: StaffContext, { qrCodeId }: { qrCodeId: string }): Promise<TableCode> {
  const code = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const [row] = await sql`
      select ${sql.unsafe(codeColumns)}, store_id,
        (select name from stores s where s.merchant_id = q.merchant_id and s.id = q.store_id) as store_name
      from qr_codes q where merchant_id = ${merchantId} and id = ${qrCodeId}`;
    if (!row) throw qrCodeNotFound();
    const orders = await ordersOf(tx, row.id);
    const store = { id: row.store_id as string, name: row.store_name as string };
    return { ...describeCode(row, ctx.clock.now()), store, orders };
  });
  const ordered = code.orders.filter(({ status }) => status !== 'cancelled');
  const unserved = ordered.filter(({ status }) => status !== 'served');
  const url = codeUrl(ctx, code.qrCodeId);
  return {
    ...code,
    total: totalOf(ordered),
    unserved: { count: unserved.length, total: totalOf(unserved) },
    scan: code.status === 'active' ? { url, imageSvg: await svgOf(url) } : null,
  };
}

/**
 * A code for a table, on a bill of the till or on one that we number. A bill that is open has its code already: `isNew`
 * tells. Errors: `store_not_found`.
 */
export async function generateTableCode(
  ctx: StaffContext,
  { storeId, table, guests, openHours, ...input }: TableCodeInput,
): Promise<{ qrCodeId: string; isNew: boolean }> {
  const wish = { billId: input.billId ?? newBillNumber(), table, guests, expiresInMinutes: openHours * 60 };
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const opened = await openCode(tx, ctx, storeId, wish);
    const { id, isNew, prolongedFrom } = opened;
    const subject = { kind: 'qrCode', id };
    if (isNew) await auditStaff(tx, ctx, 'qrCode.generate', subject, { after: { storeId, ...wish } });
    if (prolongedFrom) await auditStaff(tx, ctx, 'qrCode.prolong', subject, prolonging(opened));
    return { qrCodeId: id, isNew };
  });
}

/** A bill that no till knows: `T-` and eight letters and digits that are told apart when read out. */
function newBillNumber(): string {
  const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  return `T-${Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
}

const mostCards = 100;

export interface TableCard {
  qrCodeId: string;
  table: string | null;
  billId: string;
  imageSvg: string;
}

/**
 * What is printed for the tables, by table: a hundred of a store's active codes at the most, those that are wanted and the
 * newest. `isCut` where there are more. Errors: `store_not_found`.
 */
export async function listTableCards(
  ctx: StaffContext,
  { storeId, qrCodeIds }: { storeId: string; qrCodeIds: string[] },
): Promise<{ storeName: string; cards: TableCard[]; isCut: boolean }> {
  const [store, codes] = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const now = ctx.clock.now();
    const [[name], rows] = await Promise.all([
      sql<{ name: string }[]>`select name from stores where merchant_id = ${merchantId} and id = ${storeId}`,
      sql<{ id: string; bill_id: string; table_name: string | null }[]>`
        select id, bill_id, table_name from (${activeCodes(tx, storeId, now)}) active
        order by id = any(${qrCodeIds}::uuid[]) desc, id desc limit ${mostCards + 1}`,
    ]);
    return [name, [...rows]] as const;
  });
  if (!store) throw noSuchStore();
  const cards = await Promise.all(
    codes.slice(0, mostCards).map(async ({ id, bill_id: billId, table_name: table }) => ({
      qrCodeId: id,
      table,
      billId,
      imageSvg: await svgOf(codeUrl(ctx, id)),
    })),
  );
  const { compare } = new Intl.Collator(ctx.merchant.locale, { numeric: true });
  cards.sort((a, b) => compare(a.table ?? a.billId, b.table ?? b.billId));
  return { storeName: store.name, cards, isCut: codes.length > mostCards };
}
