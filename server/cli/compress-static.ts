import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { compressibleTypes, staticFolder } from '../process/static-files';

const compress = promisify(brotliCompress);

/** Compresses each build file with Brotli at its highest level, into a file beside it. */
export async function compressStaticFiles(folder = staticFolder): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !(extname(entry.name) in compressibleTypes)) continue;
    const file = join(entry.parentPath, entry.name);
    await writeFile(`${file}.br`, await compress(await readFile(file)));
  }
}
