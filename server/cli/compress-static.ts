import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { compressible, staticFolder } from '../static-files';

const compress = promisify(brotliCompress);

/** Lays beside each file of the build what is sent in its place: its Brotli, at the best that it can do. */
export async function compressStaticFiles(folder = staticFolder): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !(extname(entry.name) in compressible)) continue;
    const file = join(entry.parentPath, entry.name);
    await writeFile(`${file}.br`, await compress(await readFile(file)));
  }
}
