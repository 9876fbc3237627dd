/** Recognises the encoding of a text by its bytes. */
import { unitAt, type Weight, weighAscii, weighLatin, weighUnicode, weighUnknown } from './encoding-models';
import type { Encoding, TextSource } from './schemas';

/** How much likelier the best encoding has to be than any other, as a logarithm: ten thousand times. */
const certainty = Math.log(10_000);
/** East Asian letters hardly ever touch Latin ones. */
const touchesLatin = Math.log(0.001);

const rare = Math.log(0.001);

/** What Excel on Windows writes in these countries. Elsewhere it is Windows-1252. */
const usualEncodings: Record<string, Encoding> = {
  CN: 'gb18030',
  SG: 'gb18030',
  MY: 'gb18030',
  JP: 'shift_jis',
  KR: 'euc-kr',
  TW: 'big5',
  HK: 'big5',
  MO: 'big5',
};

/** How likely an encoding is before anything was read. */
function priorOf(candidate: Encoding, country: string): Weight {
  if (candidate === 'utf-8') return 0;
  return candidate === (usualEncodings[country] ?? 'windows-1252') ? Math.log(0.1) : rare;
}

const isLetter = (byte = 0) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
const isLatin = (byte = 0) => isLetter(byte) || byte >= 0xc0;

const decodes = (bytes: Uint8Array, encoding: Encoding): string | null => {
  try {
    // As part of a stream: the sample may end within a character.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
};

function weighUtf8(text: string): Weight {
  let sum = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const character = String.fromCodePoint(code);
    const around = [text[at - 1], text[at + character.length]];
    const isInWord = () => around.some((one) => /\p{Script=Latin}/u.test(one ?? ''));
    sum += code < 0x80 ? weighAscii(code) : weighUnicode(character, isInWord());
    at += character.length;
  }
  return sum;
}

function weighWindows1252(bytes: Uint8Array): Weight {
  let sum = 0;
  bytes.forEach((byte, at) => {
    sum += byte < 0x80 ? weighAscii(byte) : weighLatin(byte, isLatin(bytes[at - 1]) || isLatin(bytes[at + 1]));
  });
  return sum;
}

function weighDoubleBytes(bytes: Uint8Array, encoding: Parameters<typeof unitAt>[0]): Weight {
  let sum = 0;
  let isAfterLetter = false;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      sum += weighAscii(byte);
      isAfterLetter = isLetter(byte);
      at += 1;
      continue;
    }
    const { width, weight } = unitAt(encoding, bytes, at);
    sum += weight + (isAfterLetter || isLetter(bytes[at + width]) ? touchesLatin : 0);
    isAfterLetter = false;
    at += width;
  }
  return sum;
}

function weigh(bytes: Uint8Array, candidate: Encoding): Weight | null {
  const text = decodes(bytes, candidate);
  if (text === null) return null;
  if (candidate === 'utf-8') return weighUtf8(text);
  if (candidate === 'windows-1252') return weighWindows1252(bytes);
  if (candidate === 'utf-16le' || candidate === 'utf-16be') return null;
  return weighDoubleBytes(bytes, candidate);
}

const candidates = ['utf-8', 'gb18030', 'big5', 'shift_jis', 'euc-kr', 'windows-1252'] as const satisfies Encoding[];

/**
 * Returns the likeliest encoding of a text that has bytes beyond ASCII; null if none is likely. `country` is the
 * merchant's: it decides between two that are equally likely, and then the result is not certain.
 */
export function detectEncoding(bytes: Uint8Array, country: string): TextSource | null {
  const unknown = bytes.reduce((sum, byte) => sum + weighUnknown(byte), rare);
  const weighed = candidates.flatMap((encoding) => {
    const weight = weigh(bytes, encoding);
    return weight === null ? [] : { encoding, weight: weight + priorOf(encoding, country) };
  });
  const [best, second] = weighed.toSorted((a, b) => b.weight - a.weight);
  if (best === undefined || best.weight < unknown - certainty) return null;
  const others = Math.max(unknown, second?.weight ?? -Infinity);
  // Windows has other code pages for Europe, and they differ in few letters.
  const isCertain = best.encoding !== 'windows-1252' && best.weight - others >= certainty;
  return { kind: 'text', encoding: best.encoding, isCertain };
}
