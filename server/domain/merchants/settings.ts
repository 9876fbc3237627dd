import { and, count, desc, eq, sql } from 'drizzle-orm';
import { getCountries, isSupportedCountry } from 'libphonenumber-js/max';
import { type Tx, withMerchant } from '@/db/client';
import { only } from '@/db/queries';
import {
  customerPins,
  customers,
  menuItems,
  merchants,
  storedValuePackages,
  transactions,
  voucherCampaigns,
} from '@/db/schema';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { Merchant, StaffContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { say } from '../core/say';
import { lockMerchant } from './merchant';
import type { ChangeSettingsInput } from './schemas';
import { knownTimeZones, timeZoneChoices } from './time-zones';

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

type Field = keyof ChangeSettingsInput;
type Values = Partial<Pick<Merchant, Field>>;

/**
 * Changes the fields given; they hold from the next request of a POS on. Errors: `currency_fixed`, `invalid_request` for
 * a country without phone numbers, or a time zone that PostgreSQL does not know.
 */
export async function changeSettings(ctx: StaffContext, input: ChangeSettingsInput): Promise<void> {
  if (input.country !== undefined) checkCountry(input.country);
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const changesCurrency = input.currency !== undefined && input.currency !== ctx.merchant.currency;
    // Before the lock as well, so that a busy merchant is not held up for nothing.
    if (changesCurrency) await ensureCurrencyIsFree(tx);
    // Until everything that is being written for the merchant is there to be seen.
    const before = await lockMerchant(tx, changesCurrency ? 'update' : 'no key update');
    const fields = (Object.keys(input) as Field[]).filter(
      (field) => input[field] !== undefined && input[field] !== before[field],
    );
    if (fields.length === 0) return;
    if (fields.includes('currency')) await ensureCurrencyIsFree(tx);
    if (input.timeZone !== undefined && fields.includes('timeZone')) await ensureKnown(tx, input.timeZone);
    const { merchantId, db } = tx;
    const pick = (values: Values): Values => Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
    await Promise.all([
      db.update(merchants).set(pick(input)).where(eq(merchants.id, merchantId)),
      auditStaff(
        tx,
        ctx,
        'settings.change',
        { kind: 'merchant', id: merchantId },
        { before: pick(before), after: pick(input) },
      ),
      announce(tx, 'settings'),
    ]);
  });
}

/** What JavaScript knows and PostgreSQL does not would leave the merchant without reports. */
async function ensureKnown(tx: Tx, timeZone: string): Promise<void> {
  const known = await knownTimeZones(tx.db, [timeZone]);
  if (known.length === 0) throw invalid('timeZone', say('notATimeZone'));
}

/** What holds amounts in the merchant's currency, each by the words for it. */
const holders = [
  [transactions, 'transactions'],
  [storedValuePackages, 'stored-value packages'],
  [voucherCampaigns, 'voucher campaigns'],
  [menuItems, 'menu items'],
] as const;

/** What there is in the merchant's currency, so that it can't change any more; null where there is nothing yet. */
export async function whatFixesCurrency({ merchantId, db }: Tx): Promise<string | null> {
  const found = await Promise.all(
    holders.map(([table, words]) =>
      db
        .select({ words: sql<string>`${words}::text` })
        .from(table)
        .where(eq(table.merchantId, merchantId))
        .limit(1),
    ),
  );
  return found.flat()[0]?.words ?? null;
}

/** Errors: `currency_fixed`, saying why. */
export async function ensureCurrencyIsFree(tx: Tx): Promise<void> {
  const things = await whatFixesCurrency(tx);
  if (things === null) return;
  const sentence = say('currencyFixed', { things });
  throw new DomainError('currency_fixed', sentence, {}, [{ path: 'currency', sentence }]);
}

/** Errors: `invalid_request` for a country without phone numbers. Its tables are too large for the schemas of browsers. */
export function checkCountry(country: string): void {
  if (!isSupportedCountry(country)) throw invalid('country', say('noPhoneNumbers'));
}
