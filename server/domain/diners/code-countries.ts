import { and, between, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { customers } from '@/db/schema';
import { placeOfPhone } from '../identity';
import type { Merchant } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';

/** `+` and fifteen digits. */
const phoneLength = 16;

/**
 * Refuses codes to numbers of other countries than the merchant chose (`countries`). Where it chose none, those of its
 * own country and of its customers' areas get codes, whether the number is a customer's or not. Errors:
 * `invalid_request` at `phone`.
 */
export async function checkCodeCountry(
  { merchantId, db }: Tx,
  merchant: Merchant,
  phone: string,
  countries: string[] | null,
): Promise<void> {
  const { country, area } = placeOfPhone(phone);
  if ((countries ?? [merchant.country]).includes(country)) return;
  if (countries === null) {
    // Numbers have digits only, so that they sort by them whatever the database's locale.
    const isOfArea = between(customers.phone, area, area.padEnd(phoneLength, '9'));
    const [one] = await db
      .select({ id: customers.id })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), isOfArea))
      .limit(1);
    if (one) return;
  }
  throw invalid('phone', say('codeCountry'));
}
