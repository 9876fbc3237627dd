import type { Tx } from '@/db/client';
import { nationalDigits } from '../customers/phone';

/** How many rows of a file one statement looks at. */
const batchSize = 50_000;

/**
 * Takes a person out of the merchant's files: the rows, tried or not, with the phone number in a cell, however it is
 * written there, or the e-mail address.
 */
export async function forgetImported(
  { merchantId, sql }: Tx,
  { phone, email }: { phone: string | null; email: string | null },
): Promise<void> {
  const patterns = [...(phone === null ? [] : [phonePattern(phone)]), ...(email === null ? [] : [emailPattern(email)])];
  const files = await sql`
    select id, (
      select max(row_number) from customer_import_rows r
      where r.merchant_id = i.merchant_id and r.import_id = i.id) as last
    from customer_imports i where merchant_id = ${merchantId}`;
  for (const { id, last } of files) {
    for (let after = 0; after < last; after += batchSize) {
      await sql`
        delete from customer_import_rows
        where merchant_id = ${merchantId} and import_id = ${id}
          and row_number > ${after} and row_number <= ${after + batchSize}
          and array_to_string(cells, '|') ~* any(${patterns}::text[])`;
    }
  }
}

/** Its last eight digits, also as full-width ones, with spaces, dashes or brackets among them. */
function phonePattern(phone: string): string {
  const digits = [...nationalDigits(phone).slice(-8)].map(
    (digit) => `[${digit}${String.fromCharCode(0xff10 + Number(digit))}]`,
  );
  return digits.join('[^0-9|]{0,3}');
}

/** The whole address, and not the end of a longer one. */
function emailPattern(email: string): string {
  const literal = email.replace(/[^A-Za-z0-9@]/g, '\\$&');
  return `(^|[^a-z0-9._%+-])${literal}($|[^a-z0-9.-])`;
}
