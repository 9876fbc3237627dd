import { and, eq, gt, lte, max, sql } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { anyOf } from '@/db/expressions';
import { customerImportRows, customerImports } from '@/db/schema';
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
  { merchantId, db }: Tx,
  { phone, email }: { phone: string | null; email: string | null },
): Promise<void> {
  const traces = [...(phone === null ? [] : [phoneTrace(phone)]), ...(email === null ? [] : [emailTrace(email)])];
  const isTold = (cells: string[]) => cells.some((cell) => traces.some(({ isIn }) => isIn(cell)));
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
    // As many as there are columns, which the mapping counts.
    if (isTold(headings)) {
      await db
        .update(customerImports)
        .set({ headings: sql`array_fill(''::text, array[cardinality(${customerImports.headings})])` })
        .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, id)));
    }
    const isOfFile = and(eq(rows.merchantId, merchantId), eq(rows.importId, id));
    const mayTell = sql`array_to_string(${rows.cells}, '|') ~* any(${sql.param(patterns)}::text[])`;
    for (let after = 0; after < (last ?? 0); after += batchSize) {
      const candidates = await db
        .select({ rowNumber: rows.rowNumber, cells: rows.cells })
        .from(rows)
        .where(and(isOfFile, gt(rows.rowNumber, after), lte(rows.rowNumber, after + batchSize), mayTell));
      const told = candidates.filter(({ cells }) => isTold(cells)).map(({ rowNumber }) => rowNumber);
      if (told.length === 0) continue;
      await db.delete(rows).where(and(isOfFile, anyOf(rows.rowNumber, told)));
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
