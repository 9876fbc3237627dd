/** The parts of a workbook, which is a zip of XML files. Nothing of it is believed before it was counted. */
import { posix } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';

export const maxWorkbookBytes = 25 * 1024 * 1024;
const maxParts = 5_000;
/** Bytes of all parts that are read, unpacked: a million rows of eight columns. */
const maxUnpackedBytes = 400 * 1024 * 1024;
/** Real sheets shrink to a twentieth. What shrinks more than this was made to fill the memory of its reader. */
const maxRatio = 250;
const chunkBytes = 512 * 1024;
const alwaysSmallBytes = 1024 * 1024;

export const broken = () => invalid('file', say('workbookBroken'));

/** An open workbook file. */
export class Package {
  private unpackedBytes = 0;

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: Map<string, Entry>,
  ) {}

  /** Errors: `invalid_request` for a file that is no zip, has too many parts, or is encrypted. */
  static async open(bytes: Buffer): Promise<Package> {
    const entries = new Map<string, Entry>();
    try {
      const zip = await fromBufferPromise(bytes);
      if (zip.entryCount > maxParts) throw broken();
      // Some programs write other cases in names than their references have.
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
      return new Package(zip, entries);
    } catch {
      throw broken();
    }
  }

  has(path: string): boolean {
    return this.entries.has(path.toLowerCase());
  }

  /** Streams a part. The stream fails with `invalid_request` if it is larger than it says, or the whole is too large. */
  async *read(path: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(path.toLowerCase());
    if (!entry || entry.isEncrypted()) throw broken();
    const { compressedSize, uncompressedSize } = entry;
    if (uncompressedSize > alwaysSmallBytes && uncompressedSize > compressedSize * maxRatio) throw tooManyCells();
    let size = 0;
    const stream = await this.unpacked(entry);
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.unpackedBytes += chunk.length;
        if (size > uncompressedSize) throw broken();
        if (this.unpackedBytes > maxUnpackedBytes) throw tooManyCells();
        yield chunk;
      }
    } catch (error) {
      throw error instanceof DomainError ? error : broken();
    } finally {
      stream.destroy();
    }
    if (size < uncompressedSize) throw broken();
  }

  /** Unpacks in large chunks: each is a turn of zlib's thread, of which a sheet would need thousands. */
  private async unpacked(entry: Entry): Promise<Readable> {
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw broken();
    const raw = await this.zip.openReadStreamPromise(entry, { decodeFileData: false }).catch(() => {
      throw broken();
    });
    if (entry.compressionMethod === 0) return raw;
    const inflate = createInflateRaw({ chunkSize: chunkBytes });
    // An error of the file reaches the reader through `inflate`.
    pipeline(raw, inflate, () => {});
    return inflate;
  }
}

export const tooManyCells = () => invalid('file', say('tooManyCells'));

/** The parts that a part refers to, by the ids that it uses for them. */
export interface Reference {
  id: string;
  type: string;
  path: string;
}

/** Resolves a reference's target: `worksheets/sheet1.xml` of `xl/workbook.xml` is `xl/worksheets/sheet1.xml`. */
export const resolveTarget = (part: string, target: string): string =>
  target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(part), target);

/** The file that lists the references of a part. */
export const referencesOf = (part: string): string =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
