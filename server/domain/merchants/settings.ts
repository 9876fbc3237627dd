import { getCountries } from 'libphonenumber-js/max';
import { withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { StaffContext } from '../staff/context';
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
  return withMerchant(db, merchant.id, async ({ merchantId, sql }) => {
    // Counted one by one, by their key: a join would read the PINs of all customers.
    const [row] = await sql`
      select count(*)::int as customers, (count(*) - coalesce(sum(p.pins), 0))::int as without_pin
      from (select id from customers where merchant_id = ${merchantId} order by id desc limit ${sampleSize}) c
      cross join lateral (
        select count(*) as pins from customer_pins where merchant_id = ${merchantId} and customer_id = c.id
      ) p`;
    const customers: number = row?.customers;
    return { customers, withoutPin: row?.without_pin as number, isSample: customers === sampleSize };
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
    const { merchantId, sql } = tx;
    const before = await lockMerchant(tx, 'pin_required');
    if (before.pin_required === pinRequired) return;
    const change = { before: { pinRequired: !pinRequired }, after: { pinRequired } };
    await Promise.all([
      sql`update merchants set pin_required = ${pinRequired} where id = ${merchantId}`,
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
