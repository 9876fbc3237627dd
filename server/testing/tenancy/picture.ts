import { randomInt } from 'node:crypto';
import sharp from 'sharp';

/** Returns a small picture that was not uploaded before. */
export async function samplePicture(): Promise<ReadableStream<Uint8Array>> {
  const background = { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(png)]).stream();
}
