/** What a merchant offers diners on their phones. */

import { isDeepStrictEqual } from 'node:util';
import { eq, getTableColumns } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { orderingSettings } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { type CardAccount, takingAccount } from '../kernel/card-payments';
import { announceChange } from '../kernel/changes';
import type { Services, StaffContext } from '../kernel/context';
import { lockMerchant } from '../merchants';
import type { ChangeOrderingSettingsInput, OrderingSettings } from './schemas';

const { merchantId, updatedAt, ...columns } = getTableColumns(orderingSettings);
export const orderingColumns = columns;

/** The settings of a merchant without a row: the table's own defaults. */
const defaults: OrderingSettings = {
  redeemsOnBill: true,
  cardOnBill: true,
  takeBackMinutes: 2,
  tipPercentages: [],
  ordersAgain: true,
  showsPopular: true,
  filtersDiets: true,
  callsStaff: true,
  estimatesWait: true,
  tableCardPage: 'menu',
};

/** Reads the settings of the merchant. */
export async function readOrderingSettings({ merchantId, db }: Tx): Promise<OrderingSettings> {
  const [row] = await db.select(columns).from(orderingSettings).where(eq(orderingSettings.merchantId, merchantId));
  return row ?? defaults;
}

/** What diners' pages offer. */
export type TableOffers = Omit<OrderingSettings, 'tableCardPage'>;

/** Returns what diners are offered. Without a row, the defaults apply. Cards need the payment service, too. */
export function offersOf(
  row: OrderingSettings | null,
  { cardPayments }: Pick<Services, 'cardPayments'>,
  account: CardAccount,
): TableOffers {
  const { tableCardPage, ...offers } = row ?? defaults;
  return { ...offers, cardOnBill: offers.cardOnBill && takingAccount(cardPayments, account) !== null };
}

/** Returns the settings, and whether the merchant can take cards now. */
export async function getOrderingSettings({
  db,
  merchant,
  cardPayments,
}: StaffContext): Promise<OrderingSettings & { takesCards: boolean }> {
  return {
    ...(await withMerchant(db, merchant.id, readOrderingSettings)),
    takesCards: takingAccount(cardPayments, merchant) !== null,
  };
}

type Field = keyof OrderingSettings;

/** Changes the given settings. They apply to newly opened pages, and to open pages at once. */
export async function changeOrderingSettings(ctx: StaffContext, input: ChangeOrderingSettingsInput): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    // Concurrent changes of other settings wait, so that no change is lost.
    await lockMerchant(tx);
    const before = await readOrderingSettings(tx);
    const fields = (Object.keys(input) as Field[]).filter(
      (field) => input[field] !== undefined && !isDeepStrictEqual(input[field], before[field]),
    );
    if (fields.length === 0) return;
    const pick = (values: ChangeOrderingSettingsInput) =>
      Object.fromEntries(fields.map((field) => [field, values[field]]));
    const set = { ...before, ...pick(input), updatedAt: ctx.clock.now() };
    await Promise.all([
      db
        .insert(orderingSettings)
        .values({ merchantId, ...set })
        .onConflictDoUpdate({ target: orderingSettings.merchantId, set }),
      auditStaff(
        tx,
        ctx,
        'settings.change',
        { kind: 'merchant', id: merchantId },
        { before: pick(before), after: pick(input) },
      ),
      announceChange(tx, 'settings'),
    ]);
  });
}
