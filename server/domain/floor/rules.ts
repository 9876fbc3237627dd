/** Table names as a person types them: `1-20`, `A1-A12, Bar`. Pure, so that the form can show what it will add. */

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
