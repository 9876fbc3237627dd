import { and, eq, gt, lte, max, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { customerImportRows, customerImports } from '@/db/schema';
import { nationalDigits } from './phone';

/** Rows per statement. */
const batchSize = 50_000;

/** Finds mentions of a person: SQL selects candidate rows, then `test` checks each of their cells. */
interface Trace {
  pattern: string;
  isIn(cell: string): boolean;
}

/**
 * Removes a person from the merchant's uploaded files. It deletes rows, imported or not, that have the phone number (in
 * any notation) or the e-mail address in a cell. It also clears headings, if a file has the person in place of
 * headings.
 */
export async function forgetImported(
  { merchantId, db }: Tx,
  { phone, email }: { phone: string | null; email: string | null },
): Promise<void> {
  const traces = [...(phone === null ? [] : [phoneTrace(phone)]), ...(email === null ? [] : [emailTrace(email)])];
  const mentionsPerson = (cells: string[]) => cells.some((cell) => traces.some(({ isIn }) => isIn(cell)));
  const patterns = traces.map(({ pattern }) => pattern);
  const rows = customerImportRows;
  const lastRow = db
    .select({ last: max(rows.rowNumber) })
    .from(rows)
    .where(and(eq(rows.merchantId, customerImports.merchantId), eq(rows.importId, customerImports.id)));
  const files = await db
    .select({ id: customerImports.id, headings: customerImports.headings, last: sql<number | null>`${lastRow}` })
    .from(customerImports)
    .where(eq(customerImports.merchantId, merchantId));
  for (const { id, headings, last } of files) {
    // The number of columns is kept, because the mapping counts them.
    if (mentionsPerson(headings)) {
      await db
        .update(customerImports)
        .set({ headings: sql`array_fill(''::text, array[cardinality(${customerImports.headings})])` })
        .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, id)));
    }
    const isOfFile = and(eq(rows.merchantId, merchantId), eq(rows.importId, id));
    const mayMention = sql`array_to_string(${rows.cells}, '|') ~* any(${sql.param(patterns)}::text[])`;
    for (let after = 0; after < (last ?? 0); after += batchSize) {
      const candidates = await db
        .select({ rowNumber: rows.rowNumber, cells: rows.cells })
        .from(rows)
        .where(and(isOfFile, gt(rows.rowNumber, after), lte(rows.rowNumber, after + batchSize), mayMention));
      const matchingRows = candidates.filter(({ cells }) => mentionsPerson(cells)).map(({ rowNumber }) => rowNumber);
      if (matchingRows.length === 0) continue;
      await db.delete(rows).where(and(isOfFile, anyOf(rows.rowNumber, matchingRows)));
    }
  }
}

/** A number as people write it, with spaces, dashes, dots or brackets inside. A plus or a line break begins another. */
const writtenNumber = /\d(?:[\p{Zs}\p{Cf}\p{Pd}\p{Ps}\p{Pe}−.．]*\d)*/gu;

/**
 * Matches the whole number: in national form, with a leading zero, or with the country's calling code, which may be
 * followed by a zero.
 */
function phoneTrace(phone: string): Trace {
  const national = nationalDigits(phone);
  const code = phone.slice(1, -national.length);
  const whole = new RegExp(`^(0|(00)?${code}0?)?${national}$`);
  const digits = [...national].map((digit) => `[${digit}${String.fromCharCode(0xff10 + Number(digit))}]`);
  return {
    pattern: digits.join('[^0-9|]*'),
    isIn: (cell) => {
      const numbers =
        cell.replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10)).match(writtenNumber) ?? [];
      return numbers.some((number) => whole.test(number.replace(/\D/g, '')));
    },
  };
}

/** Matches the whole address, but not the end of a longer one. */
function emailTrace(email: string): Trace {
  const literal = email.replace(/[^A-Za-z0-9@]/g, '\\$&');
  const pattern = `(^|[^a-z0-9._%+-])${literal}($|[^a-z0-9.-])`;
  const whole = new RegExp(pattern, 'i');
  return { pattern, isIn: (cell) => whole.test(cell) };
}
