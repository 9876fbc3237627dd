import { crc32, deflateSync } from 'node:zlib';
import QRCode from 'qrcode';

const margin = 4;
/** Pixels of a module. */
const scale = 8;
const options = { errorCorrectionLevel: 'M', margin } as const;

/** Draws a code as SVG. */
export const svgOf = (url: string): Promise<string> => QRCode.toString(url, { ...options, type: 'svg' });

/** Draws a code as a data URL of PNG. One bit for each pixel: qrcode itself draws with 32, and takes nine times as long. */
export function pngOf(url: string): string {
  const { size, data } = QRCode.create(url, options).modules;
  const side = (size + 2 * margin) * scale;
  const light = Buffer.alloc(1 + side / 8, 0xff);
  // The first byte of a row names its filter: 0 is as it is, 2 is its difference from the row above.
  light[0] = 0;
  const same = Buffer.alloc(light.length);
  same[0] = 2;
  const drawn = Array.from({ length: size }, (_, row) => {
    const pixels = Buffer.from(light);
    // Eight pixels are one byte.
    for (let column = 0; column < size; column++) if (data[row * size + column]) pixels[1 + margin + column] = 0;
    return pixels;
  });
  const above = Array.from({ length: margin }, () => light);
  const rows = [...above, ...drawn, ...above].flatMap((row) => [row, ...Array(scale - 1).fill(same)]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit of grey.
  header[8] = 1;
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND')];
  return `data:image/png;base64,${Buffer.concat([signature, ...chunks]).toString('base64')}`;
}

/** A part of a PNG file: its length, its name, its content and their checksum. */
function chunk(name: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
