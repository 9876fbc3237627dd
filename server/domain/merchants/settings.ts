import { and, count, desc, eq, sql } from 'drizzle-orm';
import { getCountries } from 'libphonenumber-js/max';
import { withMerchant } from '@/db/client';
import { only } from '@/db/queries';
import { customerPins, customers, merchants } from '@/db/schema';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { StaffContext } from '../core/context';
import { whatFixesCurrency } from './currency';
import { lockMerchant } from './lock';
import { timeZoneChoices } from './time-zones';

/** What the settings screen shows, and whether this person may change it. Amounts in minor units. */
export async function getSettings(ctx: StaffContext) {
  const { merchant, staff, messenger, environment } = ctx;
  const { id: _, ...settings } = merchant;
  const currencyIsFixed = (await withMerchant(ctx.db, merchant.id, whatFixesCurrency)) !== null;
  return {
    ...settings,
    messenger,
    currencyIsFixed,
    canEdit: staff.role === 'owner',
    hasOwnClock: environment === 'sandbox',
  };
}

/** How many customers, the newest, are looked at: enough to judge by, and quick whatever the merchant's size. */
const sampleSize = 2_000;

/**
 * How many of the merchant's customers have no PIN yet, to be known before the PIN is required; of the newest 2,000 where
 * there are more.
 */
export function pinCoverage({ db, merchant }: StaffContext) {
  return withMerchant(db, merchant.id, async ({ merchantId, db: own }) => {
    const newest = own
      .select({ id: customers.id })
      .from(customers)
      .where(eq(customers.merchantId, merchantId))
      .orderBy(desc(customers.id))
      .limit(sampleSize)
      .as('newest');
    // Counted one by one, by their key: a join would read the PINs of all customers.
    const pin = own
      .select({ pins: count().as('pins') })
      .from(customerPins)
      .where(and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, newest.id)))
      .as('pin');
    const total = count();
    const counted = only(
      await own
        .select({ customers: total, withoutPin: sql<number>`${total} - coalesce(sum(${pin.pins}), 0)::bigint` })
        .from(newest)
        .crossJoinLateral(pin),
    );
    return { ...counted, isSample: counted.customers === sampleSize };
  });
}

/**
 * Switches "PIN required for redemption" (specification, section 1): it holds from the next request of a POS on, on every
 * instance.
 */
export async function setPinRequired(
  ctx: StaffContext,
  { pinRequired }: { pinRequired: boolean },
): Promise<{ pinRequired: boolean }> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const before = await lockMerchant(tx);
    if (before.pinRequired === pinRequired) return;
    const change = { before: { pinRequired: !pinRequired }, after: { pinRequired } };
    await Promise.all([
      db.update(merchants).set({ pinRequired }).where(eq(merchants.id, merchantId)),
      auditStaff(tx, ctx, 'settings.pinRequired', { kind: 'merchant', id: merchantId }, change),
      announce(tx, 'settings'),
    ]);
  });
  return { pinRequired };
}

/** What there is to choose from, as this service and its database know it. */
export const settingsChoices = async ({ db }: Pick<StaffContext, 'db'>) => ({
  currencies: Intl.supportedValuesOf('currency'),
  countries: getCountries() as string[],
  timeZones: await timeZoneChoices(db),
});
