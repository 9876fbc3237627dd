import { Transform } from 'node:stream';

const idPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const idLength = 36;

/**
 * Replaces ids anywhere in a text: in columns, and in the audit log's JSON. Ids are unique, so each means the same
 * everywhere.
 */
export function replaceIds(ids: Map<string, string>): Transform {
  let rest = Buffer.alloc(0);
  // Treats each byte as a character, so that multi-byte characters are not cut.
  const replaced = (bytes: Buffer) =>
    Buffer.from(
      bytes.toString('latin1').replace(idPattern, (id) => ids.get(id) ?? id),
      'latin1',
    );
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const all = replaced(Buffer.concat([rest, chunk]));
      // An id may continue in the next chunk.
      const end = Math.max(0, all.length - idLength + 1);
      rest = Buffer.from(all.subarray(end));
      done(null, all.subarray(0, end));
    },
    flush: (done) => done(null, rest),
  });
}
