import { and, asc, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { diningTables, stores } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { noSuchStore } from '../merchants';
import { type OrderingSettings, readOrderingSettings, svgOf } from '../qr-ordering';
import { cardTokenOf } from './card-token';
import { inPlace } from './rules';
import { type FloorCardsInput, maxTablesAtOnce } from './schemas';
import { cardUrlOf, isOnFloor } from './tables';

export interface FloorCard {
  tableId: string;
  table: string;
  area: string;
  /**
   * The card's address and its QR code. Null if it was created with a secret that the service no longer has. Such a card must
   * be replaced before it can be printed.
   */
  scan: { url: string; imageSvg: string } | null;
}

interface PrintedFloor {
  storeName: string;
  /** What the cards open while their table has no open bill. */
  cardPage: OrderingSettings['tableCardPage'];
  cards: FloorCard[];
  isCut: boolean;
}

/**
 * Returns the cards to print, by area and table: all cards, those of an area, or those of the requested tables. At most
 * two hundred; `isCut` if there are more. Errors: `store_not_found`.
 */
export async function listFloorCards(
  ctx: StaffContext,
  { storeId, area: ofArea, tableIds }: FloorCardsInput,
): Promise<PrintedFloor> {
  const { id, name, area, position, cardNumber, tokenHash } = diningTables;
  const [[store], rows, settings] = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    Promise.all([
      tx.db
        .select({ name: stores.name })
        .from(stores)
        .where(and(eq(stores.merchantId, tx.merchantId), eq(stores.id, storeId))),
      tx.db
        .select({ id, name, area, position, cardNumber, tokenHash })
        .from(diningTables)
        .where(
          and(
            isOnFloor(tx, storeId),
            ofArea === null ? undefined : eq(area, ofArea),
            tableIds.length > 0 ? anyOf(id, tableIds) : undefined,
          ),
        )
        .orderBy(asc(id)),
      readOrderingSettings(tx),
    ]),
  );
  if (!store) throw noSuchStore();
  const shown = inPlace(ctx.merchant.locale, rows).slice(0, maxTablesAtOnce);
  const cards = shown.map(async (row) => {
    const token = cardTokenOf(ctx.tokenKey, row);
    const url = token === null ? null : cardUrlOf(ctx, token);
    const scan = url === null ? null : { url, imageSvg: await svgOf(url) };
    return { tableId: row.id, table: row.name, area: row.area, scan };
  });
  const isCut = rows.length > shown.length;
  return { storeName: store.name, cardPage: settings.tableCardPage, cards: await Promise.all(cards), isCut };
}
