import { attributeReader, readXml } from './read-xml';

const [numFmtId, formatCode] = [attributeReader('numFmtId'), attributeReader('formatCode')];

import type { Package } from './workbook-package';

/** What a number of a cell is, by the cell's format. */
export type NumberKind =
  | { kind: 'number' }
  /** `lacks` is the part that a person does not see: a spreadsheet adds this year to `15-Jun`, and a day to `Jun 1985`. */
  | { kind: 'date'; lacks?: 'year' | 'day' }
  | { kind: 'digits'; length: number };

const number: NumberKind = { kind: 'number' };
const date: NumberKind = { kind: 'date' };

/** The built-in formats of dates and times, those of Chinese, Japanese and Korean, too. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Tells a format's kind. `00000` shows a number with its leading zeros, as of a PLU. */
export function kindOfFormat(code: string): NumberKind {
  // Without texts, colours, conditions and locales.
  const bare = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (/^0{2,20}$/.test(bare)) return { kind: 'digits', length: bare.length };
  const letters = bare.replace(/general|standard/gi, '').toLowerCase();
  if (!/[ymdhs]/.test(letters)) return number;
  const has = (part: RegExp) => part.test(letters);
  if (has(/[hs]/) || !has(/m/)) return date;
  return !has(/[yeg]/) ? { kind: 'date', lacks: 'year' } : has(/d/) ? date : { kind: 'date', lacks: 'day' };
}

/** `d-mmm` and `mmm-yy`. */
const builtInParts: Record<number, NumberKind> = { 16: kindOfFormat('d-mmm'), 17: kindOfFormat('mmm-yy') };

/** Returns the kind of each style of the workbook. */
export async function readFormats(file: Package, path: string | undefined): Promise<NumberKind[]> {
  const custom = new Map<number, string>();
  const styles: NumberKind[] = [];
  if (path === undefined || !file.has(path)) return styles;
  let isInCells = false;
  await readXml(file.read(path), {
    open: (name, attributes) => {
      const id = Number(numFmtId(attributes) ?? '0');
      if (name === 'numFmt') custom.set(id, formatCode(attributes) ?? '');
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) {
        const code = custom.get(id);
        styles.push(
          code !== undefined ? kindOfFormat(code) : (builtInParts[id] ?? (isBuiltInDate(id) ? date : number)),
        );
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles;
}
