import { expect, test } from 'vitest';
import { decodeUtf8 } from './decode-utf8';

const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding)).buffer;

test('UTF-8 is read, with a byte-order mark or without', () => {
  for (const text of ['plu,name\nA,Crème brûlée 叻沙\n', '\ufeffplu,name\nA,Crème brûlée 叻沙\n']) {
    expect(decodeUtf8(bytesOf(text, 'utf8'))).toBe('plu,name\nA,Crème brûlée 叻沙\n');
  }
});

test('other encodings are told from it', () => {
  expect(decodeUtf8(bytesOf('plu,name\nA,Crème brûlée\n', 'latin1'))).toBeNull();
  expect(decodeUtf8(bytesOf('\ufeffplu,name\nA,Crème brûlée\n', 'utf16le'))).toBeNull();
});
