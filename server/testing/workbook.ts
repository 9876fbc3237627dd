import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook file as Excel writes it, of the parts that matter to a reader. */
export interface WorkbookParts {
  /** The elements of each sheet's `sheetData`, by the sheet's name. */
  sheets: Record<string, string>;
  hidden?: string[];
  /** The `si` elements. */
  strings?: string;
  /** Format codes of the cells' styles 1, 2 and so on; a number is a built-in format. */
  formats?: (string | number)[];
  isFrom1904?: boolean;
  /** Other parts, or what stands for these. */
  others?: Record<string, string | Buffer>;
}

/** Returns the bytes of a workbook, written by hand, so that it can have what no library would write. */
export function workbookFile(parts: WorkbookParts): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries({ ...partsOf(parts), ...parts.others })) {
    zip.addBuffer(Buffer.from(text), path);
  }
  zip.end();
  return buffer(zip.outputStream);
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
const listOf = (...items: string[]) => `<Relationships xmlns="x">${items.join('')}</Relationships>`;

function partsOf({ sheets, hidden = [], strings = '', formats = [], isFrom1904 = false }: WorkbookParts) {
  const names = Object.keys(sheets);
  const custom = formats.map((code, at) =>
    typeof code === 'string' ? `<numFmt numFmtId="${at + 200}" formatCode="${code.replaceAll('"', '&quot;')}"/>` : '',
  );
  const styles = ['0', ...formats.map((code, at) => (typeof code === 'string' ? at + 200 : code))];
  const listed = names.map(
    (name, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" ${hidden.includes(name) ? 'state="hidden"' : ''} r:id="s${at}"/>`,
  );
  return {
    '_rels/.rels': listOf(relation('a', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${
      isFrom1904 ? ' date1904="1"' : ''
    }/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': listOf(
      ...names.map((_, at) => relation(`s${at}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
      relation('t', 'sharedStrings', '/xl/sharedStrings.xml'),
      relation('f', 'styles', 'styles.xml'),
    ),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${custom.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles
      .map((id) => `<xf numFmtId="${id}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${main}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  };
}

/** A row of inline texts. */
export const textRow = (number: number, ...texts: string[]): string =>
  `<row r="${number}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
