import { attributeReader, readXml } from './read-xml';

const [numFmtId, formatCode] = [attributeReader('numFmtId'), attributeReader('formatCode')];

import type { Package } from './workbook-package';

/** What a number of a cell is, by the cell's format. */
export type NumberKind = { kind: 'number' } | { kind: 'date' } | { kind: 'digits'; length: number };

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
  return /[ymdhs]/i.test(bare.replace(/general|standard/gi, '')) ? date : number;
}

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
        styles.push(code !== undefined ? kindOfFormat(code) : isBuiltInDate(id) ? date : number);
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles;
}
