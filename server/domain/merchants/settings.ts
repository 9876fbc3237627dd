import { isDeepStrictEqual } from 'node:util';
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm';
import { getCountries, isSupportedCountry } from 'libphonenumber-js/max';
import { showAllStores, type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import {
  auditLog,
  customerPins,
  customers,
  menuCategories,
  menuItems,
  menuPhotos,
  merchants,
  storedValuePackages,
  transactions,
  voucherCampaigns,
} from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import { requireConfirmed } from '../kernel/confirmed';
import type { Merchant, StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { type Business, readBusiness } from './business';
import { refreshEventTypes } from './event-types';
import { lockMerchant } from './merchant';
import type { ChangeSettingsInput } from './schemas';
import { knownTimeZones, timeZoneChoices } from './time-zones';

/** Returns the settings, and whether this person may change them. Amounts are in minor units. */
export async function getSettings(ctx: StaffContext) {
  const { merchant, staff, messenger, environment } = ctx;
  const { id, cardAccountId, cardAccountState, ...settings } = merchant;
  const [business, currencyUse, pinChangedAt] = await withMerchant(ctx.db, merchant.id, (tx) => {
    // Settings apply to all stores.
    showAllStores(tx);
    return Promise.all([readBusiness(tx), findCurrencyUse(tx), findPinChange(tx)]);
  });
  return {
    ...settings,
    ...business,
    messenger,
    pinChangedAt,
    currencyIsFixed: currencyUse !== null,
    canEdit: staff.role === 'owner',
    hasOwnClock: environment === 'sandbox',
  };
}

/** Returns when the PIN switch was last changed; null: never. */
async function findPinChange({ merchantId, db }: Tx): Promise<Date | null> {
  const [last] = await db
    .select({ at: auditLog.createdAt })
    .from(auditLog)
    .where(and(eq(auditLog.merchantId, merchantId), eq(auditLog.action, pinAction)))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return last?.at ?? null;
}

const pinAction = 'settings.pinRequired';

/** How many of the newest customers are counted: enough for an estimate, and fast for any merchant. */
const sampleSize = 2_000;

/** Counts customers without a PIN among the newest 2,000, so that staff know before they require it. */
export function pinCoverage({ db, merchant }: StaffContext) {
  return withMerchant(db, merchant.id, async ({ merchantId, db: queries }) => {
    const newest = queries
      .select({ id: customers.id })
      .from(customers)
      .where(eq(customers.merchantId, merchantId))
      .orderBy(desc(customers.id))
      .limit(sampleSize)
      .as('newest');
    // Each customer is looked up by key, because a join would read all customers' PINs.
    const pin = queries
      .select({ pins: count().as('pins') })
      .from(customerPins)
      .where(and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, newest.id)))
      .as('pin');
    const total = count();
    const counted = only(
      await queries
        .select({ customers: total, withoutPin: sql<number>`${total} - coalesce(sum(${pin.pins}), 0)::bigint` })
        .from(newest)
        .crossJoinLateral(pin),
    );
    return { ...counted, isSample: counted.customers === sampleSize };
  });
}

/**
 * Switches "PIN required for redemption" (specification, section 1) on every instance, from the next POS request on.
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
      auditStaff(tx, ctx, pinAction, { kind: 'merchant', id: merchantId }, change),
      announceChange(tx, 'settings'),
    ]);
  });
  return { pinRequired };
}

/** The choices that this service and its database support. */
export const settingsChoices = async ({ db }: Pick<StaffContext, 'db'>) => ({
  currencies: Intl.supportedValuesOf('currency'),
  countries: getCountries() as string[],
  timeZones: await timeZoneChoices(db),
});

type Field = keyof ChangeSettingsInput;
type Values = Partial<Pick<Merchant & Business, Field>>;

/**
 * Changes the given fields, from the next POS request on. Errors: `confirmation_required` for the amount that asks who is
 * there, `currency_fixed`, `invalid_request` for a country
 * without phone numbers or a time zone that PostgreSQL does not know, `menu_entry_not_found` for an unknown logo.
 */
export async function changeSettings(ctx: StaffContext, input: ChangeSettingsInput): Promise<void> {
  if (input.country !== undefined) checkCountry(input.country);
  for (const country of input.codeCountries ?? []) checkCountry(country, 'codeCountries');
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const changesCurrency = input.currency !== undefined && input.currency !== ctx.merchant.currency;
    // Checked before the lock, too, so that a busy merchant is not blocked in vain.
    if (changesCurrency) await ensureCurrencyIsFree(tx);
    // Waits until concurrent writes for the merchant are committed and visible.
    const merchant = await lockMerchant(tx, changesCurrency ? 'update' : 'no key update');
    const before = { ...merchant, ...(await readBusiness(tx)) };
    const fields = (Object.keys(input) as Field[]).filter(
      (field) => input[field] !== undefined && !isDeepStrictEqual(input[field], before[field]),
    );
    if (fields.length === 0) return;
    if (fields.includes('confirmAbove')) requireConfirmed(ctx, ctx.staff);
    if (fields.includes('currency')) await ensureCurrencyIsFree(tx);
    if (input.timeZone !== undefined && fields.includes('timeZone')) await ensureKnown(tx, input.timeZone);
    if (input.logoId) await lockLogo(tx, input.logoId);
    const added = input.noPointsCategoryIds?.filter((id) => !before.noPointsCategoryIds.includes(id)) ?? [];
    if (added.length > 0) await checkCategoryIds(tx, added);
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
      announceChange(tx, 'settings'),
    ]);
    if (fields.includes('recordsEvents')) await refreshEventTypes(tx, ctx.clock.now());
  });
}

/** Locks the photo, because unused photos are deleted. Errors: `menu_entry_not_found` if it is not the merchant's. */
async function lockLogo({ merchantId, db }: Tx, photoId: string): Promise<void> {
  const photos = await db
    .select({ id: menuPhotos.id })
    .from(menuPhotos)
    .where(and(eq(menuPhotos.merchantId, merchantId), eq(menuPhotos.id, photoId)))
    .for('key share');
  if (photos.length === 0) throw new DomainError('menu_entry_not_found', say('notOnMenu', { thing: 'photo' }));
}

/** Errors: `menu_entry_not_found` for a category that is not the merchant's. One that is deleted later stays in the list. */
export async function checkCategoryIds({ merchantId, db }: Tx, ids: string[]): Promise<void> {
  const found = await db
    .select({ id: menuCategories.id })
    .from(menuCategories)
    .where(and(eq(menuCategories.merchantId, merchantId), inArray(menuCategories.id, ids)));
  if (found.length < new Set(ids).size)
    throw new DomainError('menu_entry_not_found', say('notOnMenu', { thing: 'category' }));
}

/** With a time zone that only JavaScript knows, the merchant would have no reports. */
async function ensureKnown(tx: Tx, timeZone: string): Promise<void> {
  const known = await knownTimeZones(tx.db, [timeZone]);
  if (known.length === 0) throw invalid('timeZone', say('notATimeZone'));
}

/** Tables with amounts in the merchant's currency, each with its name. */
const amountTables = [
  [transactions, 'transactions'],
  [storedValuePackages, 'stored-value packages'],
  [voucherCampaigns, 'voucher campaigns'],
  [menuItems, 'menu items'],
] as const;

/** Returns what the merchant already has in its currency, which then can't be changed; null if there is nothing. */
export async function findCurrencyUse({ merchantId, db }: Tx): Promise<string | null> {
  const found = await Promise.all(
    amountTables.map(([table, words]) =>
      db
        .select({ words: sql<string>`${words}::text` })
        .from(table)
        .where(eq(table.merchantId, merchantId))
        .limit(1),
    ),
  );
  return found.flat()[0]?.words ?? null;
}

/** Errors: `currency_fixed`, with the reason. */
export async function ensureCurrencyIsFree(tx: Tx): Promise<void> {
  const things = await findCurrencyUse(tx);
  if (things === null) return;
  const sentence = say('currencyFixed', { things });
  throw new DomainError('currency_fixed', sentence, {}, [{ path: 'currency', sentence }]);
}

/**
 * Errors: `invalid_request` for a country without phone numbers. Checked here, because the data is too large for
 * schemas in the browser.
 */
export function checkCountry(country: string, path = 'country'): void {
  if (!isSupportedCountry(country)) throw invalid(path, say('noPhoneNumbers'));
}
