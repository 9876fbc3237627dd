import type { NumberKind } from './cell-formats';
import { writeNumber } from './number-text';
import { attributeReader, readXml } from './read-xml';
import { maxColumns, type TableRow } from './rows';
import { maxTextLength, type SharedStrings, TextCollector, unescapeText } from './shared-strings';
import { broken, type Package } from './workbook-package';

/** What the cells of a sheet refer to. */
export interface Workbook {
  strings: SharedStrings;
  formats: NumberKind[];
  isFrom1904: boolean;
}

const maxRows = 1_048_576;
const [referenceOf, typeOf, styleOf] = [attributeReader('r'), attributeReader('t'), attributeReader('s')];
const number: NumberKind = { kind: 'number' };

/** Returns the column of `B7`, counted from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) & ~0x20;
    if (letter < 0x41 || letter > 0x5a) break;
    column = column * 26 + letter - 0x40;
  }
  return column - 1;
}

/** Assembles the rows of a sheet from its elements. */
class RowReader {
  /** Rows that are complete. */
  rows: TableRow[] = [];
  private rowNumber = 0;
  private cells: string[] = [];
  private column = -1;
  private cell = '';
  private value = '';
  private formula = '';
  private within: '' | 'v' | 'f' = '';
  private readonly inline = new TextCollector();

  constructor(private readonly workbook: Workbook) {}

  open(name: string, attributes: string): void {
    if (name === 'row') {
      const next = Number(referenceOf(attributes) ?? this.rowNumber + 1);
      if (!Number.isInteger(next) || next <= this.rowNumber || next > maxRows) throw broken();
      this.rowNumber = next;
      this.cells = [];
      this.column = -1;
    } else if (name === 'c') {
      const reference = referenceOf(attributes);
      this.column = reference === undefined ? this.column + 1 : columnOf(reference);
      this.cell = attributes;
      this.value = '';
      this.formula = '';
    } else if (name === 'v' || name === 'f') this.within = name;
    else this.inline.open(name);
  }

  text(text: string): void {
    if (this.within === 'v') this.value += text;
    else if (this.within === 'f') this.formula += text;
    else this.inline.add(text);
    if (this.value.length + this.formula.length > 2 * maxTextLength) throw broken();
  }

  close(name: string): void {
    if (name === 'v' || name === 'f') this.within = '';
    else if (name === 'c') this.endCell();
    else if (name === 'row') {
      if (this.cells.some(Boolean)) this.rows.push({ rowNumber: this.rowNumber, cells: this.cells });
    } else this.inline.close(name);
  }

  private endCell(): void {
    const inline = this.inline.take();
    if (this.column < 0 || this.column >= maxColumns) return;
    while (this.cells.length < this.column) this.cells.push('');
    this.cells[this.column] = this.cellText(inline).trim();
  }

  /** A formula is what the program that saved it had computed. Without a result, the formula itself stays, and is refused. */
  private cellText(inline: string): string {
    const type = typeOf(this.cell) ?? 'n';
    if (type === 'inlineStr') return inline;
    if (this.value === '') return this.formula === '' || type === 'str' ? '' : `=${this.formula}`;
    if (type === 's') return this.workbook.strings.at(Number(this.value));
    if (type === 'b') return this.value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return this.value.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?$/, '');
    if (type !== 'n') return unescapeText(this.value);
    const value = Number(this.value);
    if (!Number.isFinite(value)) throw broken();
    return writeNumber(value, this.workbook.formats[Number(styleOf(this.cell))] ?? number, this.workbook.isFrom1904);
  }
}

/** Reads the filled rows of a sheet, until `onRow` returns true. */
export async function readSheet(
  file: Package,
  path: string,
  workbook: Workbook,
  onRow: (row: TableRow) => Promise<boolean> | boolean,
): Promise<void> {
  const reader = new RowReader(workbook);
  await readXml(file.read(path), {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
    afterChunk: async () => {
      const { rows } = reader;
      reader.rows = [];
      for (const row of rows) if (await onRow(row)) return true;
      return false;
    },
  });
}
