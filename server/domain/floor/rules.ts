/**
 * Table names as a person types them (`1-20`, `A1-A12, Bar`), and the state of a table. Pure, so that the form can show
 * what it will add.
 */

const range = /^(.*)(?<!\d)(\d{1,4})\s*[-–]\s*(.*?)(?<!\d)(\d{1,4})$/;

/** One more than can be added at once, which is enough to notice that there are too many. */
const enough = 201;

/**
 * Returns table names from a list with commas. A part like `1-20` or `A1-A12` stands for all tables of that range.
 * `08-10` keeps its zeros.
 */
export function tableNames(typed: string): string[] {
  const names: string[] = [];
  for (const part of typed.split(/[,，、\n]/).map((one) => one.trim())) {
    if (part !== '') names.push(...namesOf(part).slice(0, enough - names.length));
    if (names.length >= enough) break;
  }
  return names;
}

function namesOf(part: string): string[] {
  const [, prefix = '', first = '', secondPrefix = '', last = ''] = range.exec(part) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first === '' || (secondPrefix !== '' && secondPrefix !== prefix) || to < from) return [part];
  const width = first.startsWith('0') ? first.length : 0;
  const count = Math.min(to - from + 1, enough);
  return Array.from({ length: count }, (_, at) => prefix + String(from + at).padStart(width, '0'));
}

/**
 * Returns the form in which two spellings of a table's name are the same: tills write it in any letter case, with or without
 * spaces, and Japanese ones in full-width characters.
 */
export const sameTable = (name: string): string => name.normalize('NFKC').replace(/\s/g, '').toLowerCase();

/** An open bill at a table: its QR code, the till's bill, or both. Amounts are in minor units. */
export interface Visit {
  /** Null if the till opened no code for the bill. */
  qrCodeId: string | null;
  /** Null until a till sends the bill. */
  billUid: string | null;
  billId: string;
  /** When it was opened. */
  since: string;
  guests: number | null;
  /** The bill's total, or that of the orders while no till has sent a bill. */
  total: number;
  due: number;
  isPaid: boolean;
  hasOrdered: boolean;
}

/** From the table's point of view, in the order of a visit. */
export const tableStates = ['free', 'seated', 'ordered', 'billAsked', 'paid'] as const;
export type TableState = (typeof tableStates)[number];

/** Returns the state of a table with several bills: the one that staff have most to do for. */
export function stateOf(visits: Visit[], calls: ('staff' | 'bill')[]): TableState {
  if (visits.length > 0 && visits.every(({ isPaid }) => isPaid)) return 'paid';
  if (calls.includes('bill')) return 'billAsked';
  if (visits.some(({ hasOrdered }) => hasOrdered)) return 'ordered';
  return visits.length > 0 ? 'seated' : 'free';
}

/** Adds up the bills of a table. `since` is when the first was opened; null at a free table. */
export function sumVisits(visits: Visit[]): {
  since: string | null;
  guests: number | null;
  total: number;
  due: number;
} {
  const counted = visits.flatMap(({ guests }) => guests ?? []);
  const [since = null] = visits.map((visit) => visit.since).sort();
  const add = (sum: number, amount: number) => sum + amount;
  return {
    since,
    guests: counted.length > 0 ? counted.reduce(add, 0) : null,
    total: visits.map(({ total }) => total).reduce(add, 0),
    due: visits.map(({ due }) => due).reduce(add, 0),
  };
}

interface Placed {
  area: string;
  name: string;
  position: number | null;
}

const last = Number.MAX_SAFE_INTEGER;

/** Sorts tables by area as staff arranged them; the others by area and then by name, with numbers by value. */
export function inPlace<Table extends Placed>(locale: string, tables: Table[]): Table[] {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const placeOf = ({ position }: Placed) => position ?? last;
  const firsts = new Map<string, number>();
  for (const table of tables) firsts.set(table.area, Math.min(firsts.get(table.area) ?? last, placeOf(table)));
  const first = ({ area }: Placed) => firsts.get(area) ?? last;
  return tables.toSorted(
    (a, b) => first(a) - first(b) || compare(a.area, b.area) || placeOf(a) - placeOf(b) || compare(a.name, b.name),
  );
}
