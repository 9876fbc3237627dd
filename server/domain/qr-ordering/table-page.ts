import { and, eq, isNull } from 'drizzle-orm';
import { withSnapshot } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';
import { type Brand, brandColumns, merchants, orderingSettings, qrCodes, stores, taxColumns } from '@/db/schema';
import { type BillSummary, billEndedAt, summarizeBillOf } from '../bills';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { hashToken } from '../kernel/secrets';
import { originsOfMoved, type TaxRules, withMerchantClock } from '../merchants';
import { countMiss, type FoundCode, findCode, type Visit } from './find-code';
import { type CategoryOnOffer, readMenu } from './menu-on-offer';
import { nameAsOnMenu } from './name-lines';
import { offersOf, orderingColumns, type TableOffers } from './ordering-settings';
import { type TableOrder, tableOrdersOf } from './orders';
import { waitsForStaff } from './place-order';
import { popularAt } from './popular';
import type { TableCallKind } from './schemas';
import { waitingKindsOf } from './table-calls';
import { readVisitByCard, tokenPattern } from './token';
import { estimateWait } from './wait';

/** What the diners at a table see: the store, the menu and the bill's orders. */
export interface OpenTable {
  state: 'open';
  merchantId: string;
  qrCodeId: string;
  merchant: Brand & { name: string; currency: string; country: string; locale: string; timeZone: string };
  taxRules: TaxRules;
  offers: TableOffers;
  store: { name: string; address: string; phone: string };
  table: string | null;
  /** Null if the till has sent no open bill. */
  bill: BillSummary | null;
  categories: CategoryOnOffer[];
  /** The calls of this table's guests that wait. */
  calls: TableCallKind[];
  /** PLUs of the most ordered dishes on the menu, most ordered first. */
  popular: string[];
  /** About how long an order takes now; null if unknown. */
  waitMinutes: number | null;
  /** True if this phone's orders wait until staff accept the first one. */
  firstOrderWaits: boolean;
  /** Oldest first. Dishes that are on the menu have its names. */
  orders: TableOrder[];
}

export type TablePage =
  | OpenTable
  /**
   * It ended less than a day ago. `declined`: its guests opened the bill, and staff accepted no order. Otherwise the
   * till settled the bill, staff closed the code, its time ran out, or the merchant is closed. The orders are not shown
   * again, because anyone with a photo of the code would see them. Each phone keeps its own record.
   */
  | { state: 'settled' | 'closed' | 'expired' | 'declined'; merchantName: string; locale: string }
  /**
   * Unknown, or ended long ago. Both look alike, so that guessing reveals nothing. `retryAfterSeconds` is set if the
   * network tried too many unknown tokens.
   */
  | { state: 'unknown'; retryAfterSeconds: number | null };

/** The merchant has moved to another cell. The page has the same path at `origin`. */
interface MovedTable {
  state: 'moved';
  origin: string;
}

interface PageReader {
  language: string | null;
  guestId: string | null;
}

const farewellMs = 24 * 60 * 60_000;

/**
 * Returns what a code's page shows now. The menu's texts are in `language` if translated; null for the merchant's own
 * language. `guestId` is the asking phone's.
 */
export async function getTablePage(
  services: Services,
  visit: Visit,
  language: string | null,
  guestId: string | null = null,
): Promise<TablePage | MovedTable> {
  const unknown = { state: 'unknown', retryAfterSeconds: null } as const;
  const code = await findCode(services, visit);
  if (code) return (await readPage(withMerchantClock(services, code), code, { language, guestId })) ?? unknown;
  const [origin] = await originsOf(services, visit.token);
  if (origin) return { state: 'moved', origin };
  try {
    await countMiss(services, visit);
    return unknown;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...unknown, retryAfterSeconds: Number(error.details.retryAfterSeconds) };
  }
}

function originsOf(services: Services, token: string): Promise<string[]> | [] {
  const byCard = readVisitByCard(services.tokenKey, token);
  if (byCard) return originsOfMoved(services, 'merchant', byCard.merchantId);
  return tokenPattern.test(token) ? originsOfMoved(services, 'qrCode', hashToken(token)) : [];
}

const findPage = prepare((db, given: Given<Pick<FoundCode, 'merchantId' | 'qrCodeId'>>) => {
  const { status, expiresAt, invalidatedAt, invalidatedBy, openedBy, confirmedAt, table } = qrCodes;
  const { name, currency, country, locale, timeZone, cardAccountId, cardAccountState } = merchants;
  const { name: storeName, address, phone } = stores;
  return db
    .select({
      status,
      expiresAt,
      invalidatedAt,
      invalidatedBy,
      openedBy,
      confirmedAt,
      billEndedAt: billEndedAt(db, qrCodes),
      table,
      storeId: qrCodes.storeId,
      store: { name: storeName, address, phone },
      merchant: { name, currency, country, locale, timeZone, ...brandColumns },
      cardAccount: { cardAccountId, cardAccountState },
      taxRules: taxColumns,
      ordering: orderingColumns,
    })
    .from(qrCodes)
    .innerJoin(
      stores,
      and(eq(stores.merchantId, qrCodes.merchantId), eq(stores.id, qrCodes.storeId), isNull(stores.closedAt)),
    )
    .innerJoin(merchants, eq(merchants.id, qrCodes.merchantId))
    .leftJoin(orderingSettings, eq(orderingSettings.merchantId, qrCodes.merchantId))
    .where(and(eq(qrCodes.merchantId, given.merchantId), eq(qrCodes.id, given.qrCodeId)));
});

type KnownPage = Exclude<TablePage, { state: 'unknown' }>;

/**
 * Reads the page in one database transaction, with one round trip besides the commit, or two if the till sends bills.
 * Returns null for a code that ended more than a day ago.
 */
function readPage(
  services: Services,
  { merchantId, qrCodeId, merchantClosedAt, byCard, waits }: FoundCode,
  { language, guestId }: PageReader,
): Promise<KnownPage | null> {
  const now = services.clock.now();
  return withSnapshot(services.db, merchantId, async (tx) => {
    const [[code], categories, orders, bill, calls, waitMinutes] = await Promise.all([
      findPage(tx.db, { merchantId, qrCodeId }),
      readMenu(tx, { at: { qrCodeId }, language, plus: null, now }),
      tableOrdersOf(tx, qrCodeId, guestId),
      summarizeBillOf(tx, qrCodeId, guestId, now),
      waitingKindsOf(tx.db, { merchantId, qrCodeId }),
      estimateWait(tx, { merchantId, qrCodeId }, now),
    ]);
    if (!code) return null;
    const { status, expiresAt, invalidatedAt, invalidatedBy, merchant, taxRules, ordering, store, table } = code;
    if (status !== 'active' || expiresAt <= now) {
      const overSince = invalidatedAt ?? expiresAt;
      if (now.getTime() - overSince.getTime() >= farewellMs) return null;
      const isSettled = invalidatedBy === 'apiKey';
      const isDeclined = code.openedBy === 'diner' && code.confirmedAt === null;
      const end = invalidatedAt === null ? 'expired' : isSettled ? 'settled' : 'closed';
      const state = isDeclined ? 'declined' : end;
      return { state, merchantName: merchant.name, locale: merchant.locale };
    }
    if (merchantClosedAt) return { state: 'closed', merchantName: merchant.name, locale: merchant.locale };
    const offers = offersOf(ordering, services, code.cardAccount);
    const popular = offers.showsPopular ? await popularAt(tx, code.storeId, now) : [];
    const onMenu = new Set(categories.flatMap(({ items }) => items.map(({ plu }) => plu)));
    const shown = waits ? orders.filter(({ isMine }) => isMine) : orders;
    return {
      state: 'open',
      merchantId,
      qrCodeId,
      merchant,
      taxRules,
      offers,
      store,
      table,
      bill: waits ? null : bill,
      categories,
      firstOrderWaits: waitsForStaff(code, byCard),
      calls: waits ? [] : calls.map(({ kind }) => kind),
      popular: popular.filter((plu) => onMenu.has(plu)),
      waitMinutes: offers.estimatesWait ? waitMinutes : null,
      orders: nameAsOnMenu(shown, categories),
    };
  });
}
