import { eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { merchants } from '@/db/schema';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { Merchant } from '../core/context';
import { invalid } from '../core/errors';
import { say } from '../core/say';
import type { StaffContext } from '../staff/context';
import { checkCountry } from './country';
import { ensureCurrencyIsFree } from './currency';
import { lockMerchant } from './lock';
import type { ChangeSettingsInput } from './schemas';
import { knownTimeZones } from './time-zones';

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
