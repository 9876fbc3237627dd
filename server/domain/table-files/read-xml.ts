/**
 * Reads the XML of workbooks as a stream. It knows tags, attributes, texts and the entities of XML, and refuses a document
 * type: nothing in a file can refer to something else, or grow.
 */
import { broken } from './workbook-package';

/** The longest tag or text: a cell's text has 32,767 characters, and each may be an entity. */
const maxPiece = 256 * 1024;
const maxDepth = 64;

export interface XmlHandlers {
  /** Names come without the prefix of their namespace. `attributes` is the source, for `attributeReader`. */
  open(name: string, attributes: string): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Called between two chunks. Returns true to stop. */
  afterChunk?(): Promise<boolean> | boolean;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Errors: `invalid_request` for an entity that XML does not have. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));|&/gi,
    (_, decimal?: string, hex?: string, name?: string) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null;
      const character =
        code === null ? entities[name ?? ''] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
      if (character === undefined) throw broken();
      return character;
    },
  );
}

/** Returns a reader of one attribute in the source of a tag. A name may have a prefix in the file (`r:id`). */
export function attributeReader(name: string): (attributes: string) => string | undefined {
  const marks = [`${name}="`, `${name}='`];
  return (attributes) => {
    for (const mark of marks) {
      for (let at = attributes.indexOf(mark); at >= 0; at = attributes.indexOf(mark, at + 1)) {
        const before = attributes[at - 1];
        if (before !== ' ' && before !== ':') continue;
        const start = at + mark.length;
        return decodeEntities(attributes.slice(start, attributes.indexOf(mark.at(-1) as string, start)));
      }
    }
  };
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** A `>` within an attribute does not end the tag. */
const wholeTag = /<[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/y;
/** What no program writes: spaces around an equals sign, and lines within a tag. */
const unusual = /\s=|=\s|[\t\r\n]/;
const usual = (attributes: string) =>
  unusual.test(attributes) ? attributes.replace(/[\t\r\n]/g, ' ').replace(/ *= */g, '=') : attributes;

function endOfMark(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

/** Splits a text into tags and texts, as it comes. */
class Scanner {
  private rest = '';
  private readonly parents: string[] = [];
  private hasRoot = false;

  constructor(private readonly handlers: XmlHandlers) {}

  write(chunk: string): void {
    const text = this.rest + chunk;
    let at = 0;
    while (at < text.length) {
      const start = text.indexOf('<', at);
      const end = start < 0 ? -1 : this.endOf(text, start);
      if (end < 0) break;
      if (start > at && this.parents.length > 0) this.handlers.text?.(decodeEntities(text.slice(at, start)));
      this.read(text, start, end);
      at = end;
    }
    this.rest = text.slice(at);
    if (this.rest.length > maxPiece) throw broken();
  }

  /** Errors: `invalid_request` if something is missing at the end. */
  end(): void {
    if (!this.hasRoot || this.parents.length > 0 || this.rest.trim() !== '') throw broken();
  }

  /** Returns where the markup ends that begins at `start`; -1 if its end has not come yet. */
  private endOf(text: string, start: number): number {
    const kind = text[start + 1];
    if (kind === '?') return endOfMark(text, '?>', start);
    if (kind === '!' && text.startsWith('<!--', start)) return endOfMark(text, '-->', start + 4);
    if (kind === '!' && text.startsWith('<![CDATA[', start)) return endOfMark(text, ']]>', start);
    wholeTag.lastIndex = start;
    return wholeTag.test(text) ? wholeTag.lastIndex : -1;
  }

  private read(text: string, start: number, end: number): void {
    const kind = text[start + 1];
    if (kind === '/') this.close(localName(text.slice(start + 2, end - 1).trimEnd()));
    else if (kind === '!') this.readSpecial(text.slice(start, end));
    else if (kind !== '?') this.open(text, start, end);
  }

  private open(text: string, start: number, end: number): void {
    const isEmpty = text[end - 2] === '/';
    const source = text.slice(start + 1, isEmpty ? end - 2 : end - 1);
    const space = source.search(/\s/);
    const name = localName(space < 0 ? source : source.slice(0, space));
    if (name === '' || this.parents.length === maxDepth) throw broken();
    this.hasRoot = true;
    this.handlers.open(name, space < 0 ? '' : usual(source.slice(space)));
    this.parents.push(name);
    if (isEmpty) this.close(name);
  }

  private readSpecial(source: string): void {
    if (source.startsWith('<![CDATA[')) this.handlers.text?.(source.slice(9, -3));
    else if (!source.startsWith('<!--')) throw broken();
  }

  private close(name: string): void {
    if (this.parents.pop() !== name) throw broken();
    this.handlers.close?.(name);
  }
}

/** Reads XML as a stream. Errors: `invalid_request`; and what the handlers throw. */
export async function readXml(chunks: AsyncGenerator<Buffer>, handlers: XmlHandlers): Promise<void> {
  const scanner = new Scanner(handlers);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw broken();
    }
  };
  for await (const chunk of chunks) {
    scanner.write(decode(chunk));
    if (await handlers.afterChunk?.()) return;
  }
  scanner.write(decode());
  scanner.end();
  await handlers.afterChunk?.();
}
