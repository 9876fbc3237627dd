/** What a table's card opens: the page of its open bill, or the menu. */

import { and, eq, isNull } from 'drizzle-orm';
import { type Tx, withSnapshot } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';
import { brandColumns, diningTables, merchants, stores, taxColumns } from '@/db/schema';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { hashToken } from '../kernel/secrets';
import { originsOfMoved, withMerchantClock } from '../merchants';
import {
  countMiss,
  listOpenCodes,
  type OpenTable,
  readMenu,
  readOrderingSettings,
  type Visit,
  visitByCard,
} from '../qr-ordering';
import { cardTokenPattern } from './card-token';
import { type FoundTable, findCard } from './find-card';
import { sameTable } from './rules';

/** The menu, to read until a bill is open at the table. */
export interface MenuOfTable extends Pick<OpenTable, 'merchantId' | 'merchant' | 'taxRules' | 'store' | 'categories'> {
  state: 'menu';
  table: string;
  offers: CardOffers;
}

/** What guests can do at a table without an open bill. */
export interface CardOffers {
  /** True if guests may open a bill themselves. */
  startsOrdering: boolean;
  callsStaff: boolean;
}

export type CardPage =
  | MenuOfTable
  /** A bill is open at the table. Its page has this path. */
  | { state: 'bill'; path: string }
  /** The merchant or the store is closed. */
  | { state: 'closed'; merchantName: string; locale: string }
  /** Unknown, replaced or removed. `retryAfterSeconds` is set if the network tried too many unknown tokens. */
  | { state: 'unknown'; retryAfterSeconds: number | null }
  /** The merchant has moved to another cell. The page has the same path at `origin`. */
  | { state: 'moved'; origin: string };

/**
 * Returns what a card opens now. The menu's texts are in `language` if translated; null for the merchant's own
 * language.
 */
export async function getCardPage(services: Services, visit: Visit, language: string | null): Promise<CardPage> {
  const { token } = visit;
  const found = await findCard(services, token);
  if (found) return readCardPage(withMerchantClock(services, found), found, language);
  const [origin] = cardTokenPattern.test(token) ? await originsOfMoved(services, 'qrCode', hashToken(token)) : [];
  if (origin) return { state: 'moved', origin };
  try {
    await countMiss(services, visit);
    return { state: 'unknown', retryAfterSeconds: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { state: 'unknown', retryAfterSeconds: Number(error.details.retryAfterSeconds) };
  }
}

/**
 * Returns the path of the table's open bill, or null, for phones that wait for one. Errors: `table_not_found`,
 * `too_many_attempts`.
 */
export async function findBillOfCard(services: Services, visit: Visit): Promise<{ path: string | null }> {
  const found = await requireCard(services, visit);
  const here = withMerchantClock(services, found);
  return withSnapshot(here.db, found.merchantId, async (tx) => ({ path: await pathOfBill(tx, here, found) }));
}

/** Finds a card's table for a phone. Errors: `table_not_found`, `too_many_attempts`. */
export async function requireCard(services: Services, visit: Visit): Promise<FoundTable> {
  const found = await findCard(services, visit.token);
  if (found) return found;
  await countMiss(services, visit);
  throw new DomainError('table_not_found', say('tableNotFound'));
}

type TableOf = Pick<FoundTable, 'merchantId' | 'tableId'>;

const findPlace = prepare((db, given: Given<TableOf>) => {
  const { name, currency, country, locale, timeZone } = merchants;
  return db
    .select({
      table: diningTables.name,
      storeId: stores.id,
      storeClosedAt: stores.closedAt,
      store: { name: stores.name, address: stores.address, phone: stores.phone },
      merchant: { name, currency, country, locale, timeZone, ...brandColumns },
      taxRules: taxColumns,
    })
    .from(diningTables)
    .innerJoin(stores, and(eq(stores.merchantId, diningTables.merchantId), eq(stores.id, diningTables.storeId)))
    .innerJoin(merchants, eq(merchants.id, diningTables.merchantId))
    .where(and(eq(diningTables.merchantId, given.merchantId), eq(diningTables.id, given.tableId)));
});

const findName = prepare((db, given: Given<TableOf>) =>
  db
    .select({ storeId: diningTables.storeId, name: diningTables.name })
    .from(diningTables)
    .where(
      and(
        eq(diningTables.merchantId, given.merchantId),
        eq(diningTables.id, given.tableId),
        isNull(diningTables.removedAt),
      ),
    ),
);

/** Returns the path of the page of the table's bill, or null. The bill is found by the till's name for the table. */
export async function pathOfBill(tx: Tx, services: Services, { merchantId, tableId }: TableOf): Promise<string | null> {
  const [found] = await findName(tx.db, { merchantId, tableId });
  if (!found) return null;
  const codes = await listOpenCodes(tx, found.storeId, services.clock.now());
  const code = codes.findLast(({ table }) => table !== null && sameTable(table) === sameTable(found.name));
  return code ? `/q/${visitByCard(services, { merchantId, qrCodeId: code.qrCodeId })}` : null;
}

function readCardPage(services: Services, found: FoundTable, language: string | null): Promise<CardPage> {
  const { merchantId, tableId, merchantClosedAt } = found;
  return withSnapshot(services.db, merchantId, async (tx) => {
    const [path, [place]] = await Promise.all([
      pathOfBill(tx, services, found),
      findPlace(tx.db, { merchantId, tableId }),
    ]);
    if (!place) return { state: 'unknown', retryAfterSeconds: null };
    const { storeId, storeClosedAt, merchant, ...shown } = place;
    if (merchantClosedAt || storeClosedAt) {
      return { state: 'closed', merchantName: merchant.name, locale: merchant.locale };
    }
    if (path !== null) return { state: 'bill', path };
    const { tableCardPage, callsStaff } = await readOrderingSettings(tx);
    const offers = { startsOrdering: tableCardPage === 'bill', callsStaff };
    const categories = await readMenu(tx, { at: { storeId }, language, plus: null, now: services.clock.now() });
    return { state: 'menu', merchantId, merchant, ...shown, offers, categories };
  });
}
