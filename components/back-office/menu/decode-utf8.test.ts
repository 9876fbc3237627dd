import { expect, test } from 'vitest';
import { decodeUtf8 } from './decode-utf8';

const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding)).buffer;

test('decodes UTF-8 with or without a byte-order mark', () => {
  for (const text of ['plu,name\nA,Crème brûlée 叻沙\n', '\ufeffplu,name\nA,Crème brûlée 叻沙\n']) {
    expect(decodeUtf8(bytesOf(text, 'utf8'))).toBe('plu,name\nA,Crème brûlée 叻沙\n');
  }
});

test('returns null for other encodings', () => {
  expect(decodeUtf8(bytesOf('plu,name\nA,Crème brûlée\n', 'latin1'))).toBeNull();
  expect(decodeUtf8(bytesOf('\ufeffplu,name\nA,Crème brûlée\n', 'utf16le'))).toBeNull();
});
