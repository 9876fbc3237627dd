/** The REST service as one file, which starts quickly, optionally with planted defects. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

/** A replacement of a text that occurs once in the source. */
export interface Patch {
  file: string;
  find: string;
  replace: string;
}

/** Errors: where a patch no longer matches the source. */
export async function buildRestService(patches: Patch[]): Promise<string> {
  // Inside the project, so that packages resolve.
  const outfile = resolve('dist', 'chaos', `${randomUUID()}.mjs`);
  const planted = new Set<Patch>();

  async function plant(path: string) {
    const own = patches.filter(({ file }) => resolve(file) === path);
    if (own.length === 0) return undefined;
    let contents = await readFile(path, 'utf8');
    for (const patch of own) {
      const parts = contents.split(patch.find);
      if (parts.length !== 2) throw new Error(`${patch.file} has ${parts.length - 1} times, not once: ${patch.find}`);
      contents = parts.join(patch.replace);
      planted.add(patch);
    }
    return { contents, loader: 'ts' as const };
  }

  await build({
    entryPoints: [join(import.meta.dirname, 'rest-process.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    plugins: [{ name: 'patches', setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, ({ path }) => plant(path)) }],
  });
  for (const patch of patches) if (!planted.has(patch)) throw new Error(`the service does not load ${patch.file}`);
  return outfile;
}
