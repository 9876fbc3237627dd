/** Reads QR codes as a phone's camera would: from the pixels. */
import { Resvg } from '@resvg/resvg-js';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';

// A CommonJS module: what its default is depends on who loads it.
const decode = (jsQR as { default?: typeof jsQR }).default ?? jsQR;

/** What the code in a PNG says; null where none can be read. */
export function readPng(png: Buffer): string | null {
  const { data, width, height } = PNG.sync.read(png);
  return decode(new Uint8ClampedArray(data), width, height)?.data ?? null;
}

/** The same of an SVG document, drawn `width` pixels wide. */
export function readSvg(svg: string, width: number): string | null {
  return readPng(Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng()));
}
