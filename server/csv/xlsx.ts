/** Writes lists as workbooks of Excel (Office Open XML). */
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Merchant } from '@/server/domain/kernel/context';
import { currencySigns, minorDigits, toMajorUnits } from '@/server/domain/kernel/money';
import { toLocal } from '@/server/domain/kernel/zones';
import type { Cell, Columns, TableWriter } from './write';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documentRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** What Excel can have. Longer lists continue on another sheet, and longer texts are cut. */
const maxRows = 1_048_576;
const maxTextLength = 32_767;
/** The rows that decide on the columns' widths. */
const sampledRows = 50;
/** Texts are sent in pieces of this size. */
const pieceLength = 64 * 1024;

const styles = { plain: 0, heading: 1, text: 2, day: 3, time: 4, money: 5 } as const;
const dayMs = 86_400_000;
const epoch = Date.UTC(1899, 11, 30);

/** Characters that XML does not have, and texts that look like their notation. */
const unwritable = /(?![\t\n])\p{Cc}|[\ufffe\uffff]|\p{Cs}|_(?=x[0-9A-Fa-f]{4}_)/gu;
const codeOf = (character: string) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string =>
  text
    .slice(0, maxTextLength)
    .replace(unwritable, codeOf)
    .replace(/[&<>"]/g, (mark) => marks[mark] ?? '');

const serialOf = (local: Date) => (local.getTime() - epoch) / dayMs;
const number = (value: number, style: number) => `<c s="${style}"><v>${value}</v></c>`;
const text = (value: string, style: number) =>
  `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;

const wholeSeconds = (time: Date) => new Date(Math.floor(time.getTime() / 1_000) * 1_000);

function cellXml(cell: Cell, timeZone: string): string {
  if (cell === null || cell === '') return '<c/>';
  if (typeof cell === 'string') return text(cell, styles.text);
  if (typeof cell === 'number') return number(cell, styles.plain);
  // Whole seconds: of parts, Excel would show the nearest second, and LibreOffice the one before.
  if (cell instanceof Date) return number(serialOf(toLocal(timeZone, wholeSeconds(cell))), styles.time);
  if ('amountMinor' in cell) return number(toMajorUnits(cell.amountMinor, cell.currency), styles.money);
  const day = Date.parse(`${cell.day}T00:00:00Z`);
  // Excel's calendar begins with 1900, and its first two months are a day off.
  return day >= Date.UTC(1900, 2, 1) ? number(serialOf(new Date(day)), styles.day) : text(cell.day, styles.text);
}

function widthOf(heading: string, cells: Cell[]): number {
  const lengths = cells.map((cell) => {
    if (cell instanceof Date) return 19;
    return typeof cell === 'string' ? cell.length : 12;
  });
  return Math.min(50, Math.max(heading.length, ...lengths, 6) + 2);
}

const sheetStart = (headings: string[], sample: Cell[][]) => {
  const widths = headings.map((heading, at) =>
    widthOf(
      heading,
      sample.map((cells) => cells[at] ?? null),
    ),
  );
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const row = `<row>${headings.map((heading) => text(heading, styles.heading)).join('')}</row>`;
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${cols.join('')}</cols><sheetData>${row}`;
};
const sheetEnd = '</sheetData></worksheet>';

/** Bold headings, texts that stay texts, days, times, and the currency's format. */
function stylesXml(currency: string): string {
  const sign = escapeXml(`"${currencySigns(currency).at(-1)}"`);
  const digits = minorDigits(currency);
  const amount = `${sign}#,##0${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;
  const xf = (format: number, font = 0) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  return `${declaration}<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="${amount};\\-${amount}"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6">${[xf(0), xf(49, 1), xf(49), xf(164), xf(165), xf(166)].join('')}</cellXfs></styleSheet>`;
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${documentRelations}/${type}" Target="${target}"/>`;
const relationsXml = (...items: string[]) =>
  `${declaration}<Relationships xmlns="${packageRelations}">${items.join('')}</Relationships>`;
const sheetPath = (at: number) => `worksheets/sheet${at + 1}.xml`;

/** The parts that list the others, once the number of sheets is known. */
function frameParts(name: string, sheetCount: number, currency: string): Record<string, string> {
  const ids = Array.from({ length: sheetCount }, (_, at) => at);
  const ofSheet = (kind: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml`;
  const override = (part: string, kind: string) => `<Override PartName="/xl/${part}" ContentType="${ofSheet(kind)}"/>`;
  const sheetName = (at: number) => escapeXml(`${name.slice(0, 25)}${at > 0 ? ` ${at + 1}` : ''}`);
  return {
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${documentRelations}"><sheets>${ids
      .map((at) => `<sheet name="${sheetName(at)}" sheetId="${at + 1}" r:id="s${at}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsXml(
      ...ids.map((at) => relation(`s${at}`, 'worksheet', sheetPath(at))),
      relation('styles', 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': stylesXml(currency),
    '_rels/.rels': relationsXml(relation('main', 'officeDocument', 'xl/workbook.xml')),
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}${override('styles.xml', 'styles')}${ids.map((at) => override(sheetPath(at), 'worksheet')).join('')}</Types>`,
  };
}

/** Yields the sheets' texts. A sheet ends where Excel's does. */
async function* sheetsOf<Row>(columns: Columns<Row>, rows: AsyncIterable<Row>, timeZone: string) {
  const headings = Object.keys(columns);
  const cellsOf = Object.values(columns);
  let sample: Cell[][] | null = [];
  let held = '';
  let count = 1;
  const xmlOf = (cells: Cell[]) => `<row>${cells.map((cell) => cellXml(cell, timeZone)).join('')}</row>`;
  const begin = (first: Cell[][]) => {
    sample = null;
    held = sheetStart(headings, first) + first.map(xmlOf).join('');
  };
  for await (const row of rows) {
    const cells = cellsOf.map((cell) => cell(row));
    count += 1;
    if (count > maxRows) {
      yield { text: held + sheetEnd, isEnd: true };
      count = 2;
      held = sheetStart(headings, [cells]);
    }
    if (sample === null) held += xmlOf(cells);
    else if (sample.push(cells) === sampledRows) begin(sample);
    if (held.length < pieceLength) continue;
    yield { text: held, isEnd: false };
    held = '';
  }
  if (sample !== null) begin(sample);
  yield { text: held + sheetEnd, isEnd: true };
}

/** Waits until a stream takes more, or nobody reads it any longer. */
const drained = (stream: PassThrough) =>
  new Promise<void>((resolve) => {
    if (!stream.writableNeedDrain || stream.destroyed) return resolve();
    const end = () => {
      stream.off('drain', end).off('close', end);
      resolve();
    };
    stream.on('drain', end).on('close', end);
  });

/**
 * Returns a writer of workbooks. A sheet is sent as its rows are read, so a list of any length needs little memory. Times
 * are in the merchant's zone; texts, such as phone numbers and PLUs, are marked as texts.
 */
export function workbookWriter(
  name: string,
  { timeZone, currency }: Pick<Merchant, 'timeZone' | 'currency'>,
): TableWriter {
  return (columns, rows) => {
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    const fail = (error: Error) => output.destroy(error);
    zip.on('error', fail);
    (async () => {
      let sheet: PassThrough | null = null;
      let count = 0;
      for await (const { text, isEnd } of sheetsOf(columns, rows, timeZone)) {
        if (output.destroyed) return;
        if (sheet === null) {
          sheet = new PassThrough();
          output.once('close', () => sheet?.destroy());
          zip.addReadStream(sheet, `xl/${sheetPath(count)}`);
          count += 1;
        }
        if (!sheet.write(text)) await drained(sheet);
        if (isEnd) {
          sheet.end();
          sheet = null;
        }
      }
      for (const [path, part] of Object.entries(frameParts(name, count, currency))) {
        zip.addBuffer(Buffer.from(part), path);
      }
      zip.end();
    })().catch(fail);
    return Readable.toWeb(output) as ReadableStream<Uint8Array>;
  };
}
