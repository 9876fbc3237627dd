/** What `npm run generate` does to `db/migrations`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Migration, readMigrations } from '@/db/operations/migrations-folder';
import { StartupError } from '@/db/startup-error';
import { lintMigrations } from '@/db/testing/migration-lint';

const folder = join('db', 'migrations');
const meta = join(folder, 'meta');
const checksums = join(folder, 'checksums');

/** Lets drizzle-kit write a migration from `db/schema`, and adds its first line. */
export function addMigration(options: string[]): void {
  const known = new Set(readdirSync(folder));
  execFileSync('npx', ['--no-install', 'drizzle-kit', 'generate', ...options], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql') && !known.has(name))) {
    const text = readFileSync(join(folder, file), 'utf8').replace(/^-- Custom SQL .*\n?/, '');
    writeFileSync(join(folder, file), `-- expand\n${text.trimEnd()}\n`);
  }
}

/** Keeps only the newest snapshot, and writes it and the journal in few lines. */
export function keepNewestSnapshot(): void {
  const snapshots = readdirSync(meta)
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort();
  for (const older of snapshots.slice(0, -1)) rmSync(join(meta, older));
  const newest = snapshots.at(-1);
  if (newest) shorten(join(meta, newest), 4); // a line for each column and index
  shorten(join(meta, '_journal.json'), 2); // a line for each migration
}

function shorten(file: string, depth: number): void {
  writeFileSync(file, `${inLines(JSON.parse(readFileSync(file, 'utf8')), depth)}\n`);
}

/** JSON whose objects and lists of the first `depth` levels have a line for each entry. What is in these is on one line. */
function inLines(value: unknown, depth: number, indent = ''): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const entries = Object.entries(value).map(([key, entry]) => {
    const text = inLines(entry, depth - 1, inner);
    return Array.isArray(value) ? text : `${JSON.stringify(key)}: ${text}`;
  });
  return entries.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${entries.join(`,\n${inner}`)}\n${indent}${close}`;
}

/**
 * Writes the checksum of each migration that is not in the last commit. Returns the linter's findings. Errors:
 * `StartupError` if a committed migration was edited.
 */
export async function sealMigrations(): Promise<string[]> {
  const migrations = readMigrations();
  const committed = committedChecksums();
  const lines = migrations.map(({ tag }) => {
    const file = `${tag}.sql`;
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    if ((committed.get(file) ?? sum) !== sum) {
      throw new StartupError(
        `${file} was edited after it was committed: databases have applied it. Restore it, and add a migration.`,
      );
    }
    return `${sum}  ${file}\n`;
  });
  writeFileSync(checksums, lines.join(''));
  const isJudged = ({ tag, compatibleSince }: Migration) => compatibleSince !== null || !committed.has(`${tag}.sql`);
  return lintMigrations(migrations.filter(isJudged));
}

function committedChecksums(): Map<string, string> {
  const text = execFileSync('git', ['show', `HEAD:${checksums.replaceAll('\\', '/')}`], { encoding: 'utf8' });
  const pairs = text
    .trim()
    .split('\n')
    .map((line) => line.split('  '));
  return new Map(pairs.map(([sum = '', file = '']) => [file, sum]));
}
