import type { Tx } from '@/db/client';
import { nationalDigits } from '../customers/phone';

/** How many rows of a file one statement looks at. */
const batchSize = 50_000;

/** What tells of a person: SQL finds the rows that may hold it, a look at each cell those that do. */
interface Trace {
  pattern: string;
  isIn(cell: string): boolean;
}

/**
 * Takes a person out of the merchant's files: the rows, tried or not, with the phone number in a cell, however it is
 * written there, or the e-mail address; and the headings, where a file had the person in their place.
 */
export async function forgetImported(
  { merchantId, sql }: Tx,
  { phone, email }: { phone: string | null; email: string | null },
): Promise<void> {
  const traces = [...(phone === null ? [] : [phoneTrace(phone)]), ...(email === null ? [] : [emailTrace(email)])];
  const isTold = (cells: string[]) => cells.some((cell) => traces.some(({ isIn }) => isIn(cell)));
  const files = await sql`
    select id, headings, (
      select max(row_number) from customer_import_rows r
      where r.merchant_id = i.merchant_id and r.import_id = i.id) as last
    from customer_imports i where merchant_id = ${merchantId}`;
  for (const { id, headings, last } of files) {
    // As many as there are columns, which the mapping counts.
    if (isTold(headings)) {
      await sql`
        update customer_imports set headings = array_fill(''::text, array[cardinality(headings)])
        where merchant_id = ${merchantId} and id = ${id}`;
    }
    for (let after = 0; after < last; after += batchSize) {
      const candidates = await sql`
        select row_number, cells from customer_import_rows
        where merchant_id = ${merchantId} and import_id = ${id}
          and row_number > ${after} and row_number <= ${after + batchSize}
          and array_to_string(cells, '|') ~* any(${traces.map(({ pattern }) => pattern)}::text[])`;
      const told = candidates.filter(({ cells }) => isTold(cells)).map(({ row_number }) => row_number);
      if (told.length === 0) continue;
      await sql`
        delete from customer_import_rows
        where merchant_id = ${merchantId} and import_id = ${id} and row_number = any(${told}::int[])`;
    }
  }
}

/** A number as people write it, with spaces, dashes, dots or brackets in it; a plus or a line begins another. */
const written = /\d(?:[\p{Zs}\p{Cf}\p{Pd}\p{Ps}\p{Pe}−.．]*\d)*/gu;

/** The whole number: national, also with a zero before it, or with the country's calling code, also in front of the zero. */
function phoneTrace(phone: string): Trace {
  const national = nationalDigits(phone);
  const code = phone.slice(1, -national.length);
  const whole = new RegExp(`^(0|(00)?${code}0?)?${national}$`);
  const digits = [...national].map((digit) => `[${digit}${String.fromCharCode(0xff10 + Number(digit))}]`);
  return {
    pattern: digits.join('[^0-9|]*'),
    isIn: (cell) => {
      const numbers = cell.replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10)).match(written) ?? [];
      return numbers.some((number) => whole.test(number.replace(/\D/g, '')));
    },
  };
}

/** The whole address, and not the end of a longer one. */
function emailTrace(email: string): Trace {
  const literal = email.replace(/[^A-Za-z0-9@]/g, '\\$&');
  const pattern = `(^|[^a-z0-9._%+-])${literal}($|[^a-z0-9.-])`;
  const whole = new RegExp(pattern, 'i');
  return { pattern, isIn: (cell) => whole.test(cell) };
}
