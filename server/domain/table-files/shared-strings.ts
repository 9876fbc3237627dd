import { readXml } from './read-xml';
import { broken, type Package, tooManyCells } from './workbook-package';

const maxBytes = 64 * 1024 * 1024;
const maxCount = 4_000_000;
/** As many characters as a cell of Excel can have. */
export const maxTextLength = 32_767;

/** Texts, packed one after the other: a million strings of their own would need several times the memory. */
export class SharedStrings {
  private bytes = Buffer.alloc(64 * 1024);
  private ends = new Uint32Array(1_024);
  private count = 0;

  add(text: string): void {
    const start = this.count === 0 ? 0 : (this.ends[this.count - 1] ?? 0);
    const most = start + text.length * 3;
    if (most > maxBytes || this.count === maxCount) throw tooManyCells();
    if (most > this.bytes.length) this.bytes = Buffer.concat([this.bytes], Math.max(most, 2 * this.bytes.length));
    if (this.count === this.ends.length) {
      const longer = new Uint32Array(2 * this.ends.length);
      longer.set(this.ends);
      this.ends = longer;
    }
    this.ends[this.count] = start + this.bytes.write(text, start);
    this.count += 1;
  }

  /** Errors: `invalid_request` for a text that the file does not have. */
  at(index: number): string {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) throw broken();
    return this.bytes.toString('utf8', index === 0 ? 0 : this.ends[index - 1], this.ends[index]);
  }
}

/** Excel writes control characters as `_x000D_`, and an underscore before such a text as `_x005F_`. */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Collects the text of `t` elements, without the reading aids (`rPh`) that Excel keeps beside Japanese names. */
export class TextCollector {
  text = '';
  private isInText = false;
  private isInAid = false;

  open(name: string): void {
    if (name === 'rPh') this.isInAid = true;
    else if (name === 't') this.isInText = true;
  }

  add(text: string): void {
    if (this.isInText && !this.isInAid && this.text.length < maxTextLength) this.text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.isInAid = false;
    else if (name === 't') this.isInText = false;
  }

  /** Returns the text, and begins the next. */
  take(): string {
    const text = unescapeText(this.text);
    this.text = '';
    return text;
  }
}

/** Reads the texts that the cells of all sheets share. */
export async function readSharedStrings(file: Package, path: string | undefined): Promise<SharedStrings> {
  const strings = new SharedStrings();
  if (path === undefined || !file.has(path)) return strings;
  const collector = new TextCollector();
  await readXml(file.read(path), {
    open: (name) => collector.open(name),
    text: (text) => collector.add(text),
    close: (name) => {
      collector.close(name);
      if (name === 'si') strings.add(collector.take());
    },
  });
  return strings;
}
