import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { z } from 'zod';

export const manifestFile = 'manifest.json';

const member = z.object({
  file: z.string(),
  rows: z.int(),
  bytes: z.int(),
  /** In hexadecimal. */
  sha256: z.string(),
});

/** What an archive says about itself, in its last file. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** The release that wrote it, and the newest migration of its database. */
  release: z.string(),
  migration: z.object({ tag: z.string(), hash: z.string(), at: z.int() }),
  writtenAt: z.iso.datetime(),
  environment: z.enum(['sandbox', 'live']),
  merchant: z.object({ id: z.uuid(), name: z.string() }),
  /** True if it has hashes of API keys and QR codes, and PINs. */
  hasSecrets: z.boolean(),
  /** Ids of the secrets (`DATA_SECRET`) that PINs and QR codes need; empty without them. */
  secretIds: z.array(z.string()),
  members: z.array(member),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type Member = z.infer<typeof member>;

const [quote, lineFeed] = [0x22, 0x0a];

/** Passes a CSV file with headings through, and then knows its entry in the manifest. */
export class Meter extends Transform {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  private lines = 0;
  private isQuoted = false;

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    // Line feeds within quotes belong to a value.
    for (const byte of chunk) {
      if (byte === quote) this.isQuoted = !this.isQuoted;
      else if (byte === lineFeed && !this.isQuoted) this.lines += 1;
    }
    done(null, chunk);
  }

  memberOf(file: string): Member {
    return { file, rows: Math.max(0, this.lines - 1), bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}
