import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';
import { orderingSettings, qrCodes, stores } from '@/db/schema';
import type { Merchant, Services, Store } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { findMerchantEvenClosed, withMerchantClock } from '../merchants';
import { type CodeName, codeNotFound, requireCode, type Visit } from './find-code';
import { offersOf, orderingColumns, type TableOffers } from './ordering-settings';

/** The table of a scanned code, and its bill. */
export interface DinerTable extends Pick<CodeName, 'qrCodeId'> {
  merchant: Merchant;
  store: Store;
  billId: string;
  offers: TableOffers;
  /** The address of its page. */
  url: string;
}

export interface ScannedTable extends DinerTable {
  /** The time during which the code is open. */
  openedAt: Date;
  overAt: Date;
  /** Why the code is not open; null while it is. */
  refusal: DomainError | null;
}

const findTable = prepare((db, given: Given<CodeName>) => {
  const { billId, status, createdAt, invalidatedAt, expiresAt } = qrCodes;
  const { id, storeCode, name } = stores;
  return db
    .select({
      billId,
      status,
      createdAt,
      invalidatedAt,
      expiresAt,
      store: { id, storeCode, name },
      ordering: orderingColumns,
    })
    .from(qrCodes)
    .innerJoin(stores, and(eq(stores.merchantId, qrCodes.merchantId), eq(stores.id, qrCodes.storeId)))
    .leftJoin(orderingSettings, eq(orderingSettings.merchantId, qrCodes.merchantId))
    .where(and(eq(qrCodes.merchantId, given.merchantId), eq(qrCodes.id, given.qrCodeId)));
});

/**
 * Returns the table of a code, even if the code is closed, because what was begun there can still be finished. Errors:
 * `qr_code_not_found` for an unknown code, `too_many_attempts`.
 */
export async function scannedTableOf(services: Services, visit: Visit): Promise<ScannedTable> {
  const { merchantId, qrCodeId, merchantClosedAt, waits } = await requireCode(services, visit);
  // Such a phone does not see or change anything of the diners at the table yet.
  if (waits) throw codeNotFound();
  const [merchant, [found]] = await Promise.all([
    findMerchantEvenClosed(services, merchantId),
    withMerchant(services.db, merchantId, ({ db }) => findTable(db, { merchantId, qrCodeId })),
  ]);
  if (!merchant || !found) throw codeNotFound();
  const { store, billId, status, createdAt: openedAt, invalidatedAt, expiresAt, ordering } = found;
  const isExpired = expiresAt <= withMerchantClock(services, merchant).clock.now();
  const refusal = merchantClosedAt
    ? new DomainError('qr_code_closed', say('merchantClosed'))
    : status === 'invalidated'
      ? new DomainError('qr_code_closed', say('billSettled'))
      : status !== 'active' || isExpired
        ? codeNotFound()
        : null;
  const url = `${services.publicOrigin}/q/${visit.token}`;
  const overAt = invalidatedAt ?? expiresAt;
  return {
    merchant,
    qrCodeId,
    store,
    billId,
    offers: offersOf(ordering, services, merchant),
    url,
    openedAt,
    overAt,
    refusal,
  };
}

/**
 * Returns the table of an open code. Errors: `qr_code_closed` once its bill is settled or the merchant closed,
 * `qr_code_not_found` for an unknown or expired code, `too_many_attempts`.
 */
export async function openTableOf(services: Services, visit: Visit): Promise<DinerTable> {
  const { refusal, ...table } = await scannedTableOf(services, visit);
  if (refusal) throw refusal;
  return table;
}
