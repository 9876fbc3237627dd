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
 * Refuses codes to numbers of countries that the merchant did not choose (`countries`). If it chose none, numbers of
 * its own country and of its customers' areas get codes, whether or not the number is a customer's. Errors:
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
    // Phone numbers have digits only, so they sort alike in every locale.
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
