/** Reads a workbook of Excel or LibreOffice (Office Open XML): one of its sheets, row by row. */
import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import type { Bytes } from './bytes';
import { readFormats } from './cell-formats';
import { readSheet, type Workbook } from './read-sheet';
import { attributeReader, readXml } from './read-xml';
import type { OnRow, TableRow } from './rows';
import { maxSheets, type TableChoice, type TableSource } from './schemas';
import { readSharedStrings } from './shared-strings';
import { broken, maxWorkbookBytes, Package, type Reference, referencesOf, resolveTarget } from './workbook-package';

const ofReference = {
  id: attributeReader('Id'),
  type: attributeReader('Type'),
  target: attributeReader('Target'),
};
const [nameOf, stateOf, idOf, date1904Of] = [
  attributeReader('name'),
  attributeReader('state'),
  attributeReader('id'),
  attributeReader('date1904'),
];

interface Sheet {
  name: string;
  path: string;
}

/** A row with fewer filled cells is a title above the headings. */
const minHeadings = 2;
const isHeadings = ({ cells }: TableRow) => cells.filter(Boolean).length >= minHeadings;

export async function readWorkbook(bytes: Bytes, choice: TableChoice, onRow: OnRow): Promise<TableSource> {
  const file = await Package.open(await readAll(bytes));
  const [main] = await readReferences(file, '', ({ type }) => type.endsWith('/officeDocument'));
  if (main === undefined) throw invalid('file', say(file.has('content.xml') ? 'openDocument' : 'workbookBroken'));
  const references = await readReferences(file, main.path);
  const pathOf = (kind: string) => references.find(({ type }) => type.endsWith(`/${kind}`))?.path;
  const { sheets, isFrom1904 } = await readSheets(file, main.path, references);
  const strings = await readSharedStrings(file, pathOf('sharedStrings'));
  const workbook = { strings, formats: await readFormats(file, pathOf('styles')), isFrom1904 };
  const sheet = choice.sheet ?? (await findTable(file, sheets, workbook));
  const chosen = sheets[sheet];
  if (chosen === undefined) throw invalid('sheet', say('noSuchSheet'));
  await readRows(file, chosen, workbook, onRow);
  return { kind: 'workbook', sheets: sheets.map(({ name }) => name), sheet };
}

async function readAll(bytes: Bytes): Promise<Buffer> {
  const all = await bytes.take(maxWorkbookBytes + 1);
  if (all.length > maxWorkbookBytes)
    throw invalid('file', say('fileTooLarge', { size: maxWorkbookBytes / 1024 / 1024 }));
  return Buffer.from(all.buffer, all.byteOffset, all.length);
}

async function readReferences(
  file: Package,
  part: string,
  isWanted: (reference: Reference) => boolean = () => true,
): Promise<Reference[]> {
  const references: Reference[] = [];
  const path = referencesOf(part);
  if (!file.has(path)) return [];
  await readXml(file.read(path), {
    open: (name, attributes) => {
      if (name !== 'Relationship') return;
      const read = (one: keyof typeof ofReference) => ofReference[one](attributes) ?? '';
      const reference = { id: read('id'), type: read('type'), path: resolveTarget(part, read('target')) };
      if (isWanted(reference)) references.push(reference);
    },
  });
  return references;
}

/** Lists the sheets that people see, in their order. */
async function readSheets(file: Package, path: string, references: Reference[]) {
  const sheets: Sheet[] = [];
  let isFrom1904 = false;
  await readXml(file.read(path), {
    open: (element, attributes) => {
      if (element === 'workbookPr') isFrom1904 = ['1', 'true'].includes(date1904Of(attributes) ?? '');
      if (element !== 'sheet' || (stateOf(attributes) ?? 'visible') !== 'visible' || sheets.length === maxSheets)
        return;
      const id = idOf(attributes);
      const reference = references.find((one) => one.id === id && one.type.endsWith('/worksheet'));
      if (reference) sheets.push({ name: (nameOf(attributes) ?? '').slice(0, 100), path: reference.path });
    },
  });
  if (sheets.length === 0) throw broken();
  return { sheets, isFrom1904 };
}

/** Returns the first sheet that has headings with a row below; the first of all if none has. */
async function findTable(file: Package, sheets: Sheet[], workbook: Workbook): Promise<number> {
  if (sheets.length === 1) return 0;
  for (const [index, { path }] of sheets.entries()) {
    let hasHeadings = false;
    let hasRow = false;
    await readSheet(file, path, workbook, (row) => {
      hasRow = hasHeadings;
      hasHeadings ||= isHeadings(row);
      return hasRow;
    });
    if (hasRow) return index;
  }
  return 0;
}

/** Titles above the headings are left out. The headings become row 1; the others keep the numbers that people see. */
async function readRows(file: Package, { path }: Sheet, workbook: Workbook, onRow: OnRow): Promise<void> {
  let hasHeadings = false;
  const titles: TableRow[] = [];
  await readSheet(file, path, workbook, async (row) => {
    if (hasHeadings) await onRow(row);
    else if (isHeadings(row)) {
      hasHeadings = true;
      await onRow({ rowNumber: 1, cells: row.cells });
    } else if (titles.length < maxTitles) titles.push(row);
    return false;
  });
  if (hasHeadings) return;
  // A list of one column has no row with two cells.
  for (const [index, row] of titles.entries()) await onRow(index === 0 ? { rowNumber: 1, cells: row.cells } : row);
}

const maxTitles = 10_000;
