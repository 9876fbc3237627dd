import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { Merchant } from '../core/context';
import { invalid } from '../core/errors';
import type { StaffContext } from '../staff/context';
import { checkCountry } from './country';
import { ensureCurrencyIsFree } from './currency';
import { merchantColumns, toMerchant } from './merchant-row';
import { type ChangeSettingsInput, notATimeZone } from './schemas';
import { knownTimeZones } from './time-zones';

const columns = {
  name: 'name',
  currency: 'currency',
  country: 'country',
  timeZone: 'time_zone',
  locale: 'locale',
  earnPoints: 'earn_points',
  earnPerAmount: 'earn_per_amount',
  pointValue: 'point_value',
  minRedeemPoints: 'min_redeem_points',
  pointsExpiryMonths: 'points_expiry_months',
  balanceLimit: 'balance_limit',
  enrolOnSale: 'enrol_on_sale',
} as const satisfies Record<keyof ChangeSettingsInput, string>;

type Field = keyof typeof columns;
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
    const before = await lockMerchant(tx, changesCurrency);
    const fields = (Object.keys(columns) as Field[]).filter(
      (field) => input[field] !== undefined && input[field] !== before[field],
    );
    if (fields.length === 0) return;
    if (fields.includes('currency')) await ensureCurrencyIsFree(tx);
    if (input.timeZone !== undefined && fields.includes('timeZone')) await ensureKnown(tx, input.timeZone);
    const { merchantId, sql } = tx;
    const pick = (values: Values) => Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
    const row = Object.fromEntries(fields.map((field) => [columns[field], input[field] ?? null]));
    await Promise.all([
      sql`update merchants set ${sql(row)} where id = ${merchantId}`,
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
  const known = await knownTimeZones(tx, [timeZone]);
  if (known.length === 0) throw invalid('timeZone', notATimeZone);
}

/** `waitsForWrites`: until everything that is being written for the merchant is there to be seen. */
async function lockMerchant({ merchantId, sql }: Tx, waitsForWrites: boolean): Promise<Merchant> {
  const lock = sql.unsafe(waitsForWrites ? 'for update' : 'for no key update');
  const [row] = await sql`select ${sql.unsafe(merchantColumns)} from merchants where id = ${merchantId} ${lock}`;
  if (!row) throw new Error('the merchant is gone');
  return toMerchant(row);
}
