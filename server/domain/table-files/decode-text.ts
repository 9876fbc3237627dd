/** Decodes the bytes of a text file as they come. */

import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import type { Bytes } from './bytes';
import { detectEncoding } from './detect-encoding';
import type { Encoding, TextSource } from './schemas';

/** The bytes beyond the first that is not ASCII which decide on the encoding. */
const sampleBytes = 128 * 1024;

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding that the first bytes name by a byte-order mark, or by the zero byte of a UTF-16 letter. */
function markedEncoding([first, second, third]: Uint8Array): Encoding | null {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => byte === [first, second, third][at]));
  if (marked) return marked[0];
  if (first && second === 0) return 'utf-16le';
  return first === 0 && second ? 'utf-16be' : null;
}

/**
 * Decodes a text, and tells its encoding by `onFound` before the first letter beyond ASCII. Errors: `invalid_request` for
 * bytes of no known encoding, or that the encoding does not have.
 */
export async function* decodeText(
  bytes: Bytes,
  { country, chosen }: { country: string; chosen: Encoding | undefined },
  onFound: (source: TextSource) => void,
): AsyncGenerator<string> {
  const head = await bytes.take(3);
  bytes.putBack(head);
  let encoding = chosen ?? markedEncoding(head);
  if (encoding === null) {
    yield* readAscii(bytes);
    const sample = await bytes.take(sampleBytes);
    bytes.putBack(sample);
    const found =
      sample.length === 0
        ? { kind: 'text' as const, encoding: 'utf-8' as const, isCertain: true }
        : detectEncoding(sample.subarray(0, sampleBytes), country);
    if (found === null) throw invalid('file', say('notUtf8'));
    onFound(found);
    encoding = found.encoding;
  } else {
    onFound({ kind: 'text', encoding, isCertain: true });
  }
  yield* decode(bytes, encoding);
}

/** Yields the text before the first byte that is not ASCII. Leaves that byte, and the one before it. */
async function* readAscii(bytes: Bytes): AsyncGenerator<string> {
  for (;;) {
    const chunk = await bytes.take(2);
    const at = chunk.findIndex((byte) => byte >= 0x80);
    const isLast = at < 0 && chunk.length < 2;
    const end = isLast ? chunk.length : Math.max((at < 0 ? chunk.length : at) - 1, 0);
    if (chunk.subarray(0, end).includes(0)) throw invalid('file', say('notUtf8'));
    yield Buffer.from(chunk.subarray(0, end)).toString('latin1');
    bytes.putBack(chunk.subarray(end));
    if (at >= 0 || isLast) return;
  }
}

async function* decode(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const read = (chunk?: Uint8Array) => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      if (!text.includes('\0')) return text;
    } catch {
      throw invalid('file', say('notInEncoding', { encoding }));
    }
    throw invalid('file', say('notUtf8'));
  };
  for (;;) {
    const chunk = await bytes.take(1);
    if (chunk.length === 0) break;
    yield read(chunk);
  }
  yield read();
}
