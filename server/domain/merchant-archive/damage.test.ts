/** A file that is damaged, of another schema or no archive at all changes nothing. One line says why it is refused. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { getTableName } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { StartupError } from '@/db/startup-error';
import { ownDatabase } from '@/db/testing/database';
import { bringIn, ownSecrets, saveArchive, startExport } from '@/server/testing/archives';
import { createHistory } from '@/server/testing/merchant-history';
import { createPerson } from '@/server/testing/people';
import { randomFrom } from '@/server/testing/random';
import { newId } from '../kernel/ids';
import { openArchive } from '.';
import { type Manifest, manifestFile } from './manifest';
import { archivedTables, referencesOf } from './members';
import { signatureFile } from './signature';

const source = ownDatabase();
const target = ownDatabase();
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
  const { merchant } = await createHistory(source, { seed: 1, steps: 10 });
  path = (await saveArchive(folder, await startExport(source, merchant.id))).path;
});
afterAll(() => rm(folder, { recursive: true }));

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** Writes a file, and expects that it is refused, by its name or not, and changes nothing. Returns the reason, one line. */
async function refusalOf(bytes: Buffer, isNamed = false): Promise<string> {
  const damaged = join(folder, 'damaged.zip');
  await writeFile(damaged, bytes);
  const origin = isNamed ? { namedFingerprint: sha256(bytes) } : {};
  const error = await bringIn(target, damaged, 'carry', ownSecrets, true, origin).catch((one) => one);
  expect(error).toBeInstanceOf(StartupError);
  expect(await target.owner`select from merchants union all select from users`).toEqual([]);
  expect(error.message).not.toContain('\n');
  return error.message;
}

/** Rewrites the archive with other contents of some files, and its old signature; null leaves a file out. */
async function rewritten(
  change: (file: string, content: string) => string | null,
  { compress = true } = {},
): Promise<Buffer> {
  const archive = await openArchive(path);
  const zip = new ZipFile();
  for (const file of [...archive.manifest.members.map((member) => member.file), manifestFile, signatureFile]) {
    const content = change(file, await text(await archive.open(file)));
    if (content !== null) zip.addBuffer(Buffer.from(content), file, { compress });
  }
  archive.close();
  zip.end();
  return buffer(zip.outputStream);
}

test('a changed byte in any file of it', async () => {
  const bytes = await readFile(path);
  const zip = await openPromise(path);
  const random = randomFrom(42);
  let checked = 0;
  for await (const entry of zip.eachEntry()) {
    // The last byte of compressed data has unused bits.
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const damaged = Buffer.from(bytes);
    const at = fileDataStart + Math.floor(random() * (entry.compressedSize - 1));
    damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    expect(await refusalOf(damaged), entry.fileName).toMatch(/damaged/);
    checked += 1;
  }
  expect(checked).toBe(archivedTables.length + 3);
});

test('a file that is exchanged on the disk after it was checked, also that of people', async () => {
  const copy = join(folder, 'exchanged.zip');
  for (const file of ['people.csv', 'customers.csv']) {
    await writeFile(copy, await rewritten((_, content) => content, { compress: false }));
    const archive = await openArchive(copy);
    const content = await readFile(copy);
    const [was] = /[^,\n]+@[^,\n]+/.exec(await text(await archive.open(file))) ?? [];
    if (!was) throw new Error('nobody has an address');
    await writeFile(copy, content.toString('latin1').replaceAll(was, was.replace(/^./, 'X')), 'latin1');
    const failure = await text(await archive.open(file)).catch((error) => error);
    archive.close();
    expect(String(failure)).toMatch(`${file} was changed while it was read`);
  }
});

test('a file that is cut off', async () => {
  const bytes = await readFile(path);
  for (const length of [bytes.length - 1, Math.floor(bytes.length / 2), 100, 0])
    expect(await refusalOf(bytes.subarray(0, length)), `${length} bytes`).toMatch(/cut off/);
});

test('a member that is missing, changed or strange', async () => {
  const isStores = (file: string) => file === 'stores.csv';
  expect(await refusalOf(await rewritten((file, content) => (isStores(file) ? null : content)))).toBe(
    'The archive lacks stores.csv.',
  );
  const renamed = await rewritten((file, content) => (isStores(file) ? content.replace('NORTH', 'SOUTH') : content));
  expect(await refusalOf(renamed)).toBe('The archive is damaged: stores.csv does not match its checksum.');
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('hello'), 'hello.txt');
  zip.end();
  expect(await refusalOf(await buffer(zip.outputStream))).toBe('This is no archive of a merchant.');
  expect(await refusalOf(Buffer.from('no zip file'))).toMatch(/can't be read as an archive/);
});

test.each([
  ['an earlier', -1, /: import it with release 1\.0\.0 into a database of that release, then migrate that database\.$/],
  ['a later', 1, /: update this deployment and migrate its database first\.$/],
])('of %s schema', async (_, later, advice) => {
  const bytes = await rewritten((file, content) => {
    if (file !== manifestFile) return content;
    const manifest = JSON.parse(content);
    return JSON.stringify({
      ...manifest,
      migration: { tag: 'other', hash: 'other', at: manifest.migration.at + later },
    });
  });
  expect(await refusalOf(bytes)).toMatch(advice);
});

/** Rewrites the archive with the changed file's checksum in its manifest, as somebody would who wants it imported. */
async function forged(file: string, change: (content: string) => string, isSigned = false): Promise<Buffer> {
  let checksum = '';
  let rows = 0;
  return rewritten((name, content) => {
    if (name === file) {
      const changed = change(content);
      checksum = sha256(changed);
      rows = (parse(changed) as string[][]).length - 1;
      return changed;
    }
    if (name === signatureFile) return isSigned ? content : null;
    if (name !== manifestFile) return content;
    const manifest: Manifest = JSON.parse(content);
    const members = manifest.members.map((one) => (one.file === file ? { ...one, sha256: checksum, rows } : one));
    return JSON.stringify({ ...manifest, members });
  });
}

/** Repeats the last row, with what `change` makes of each value. */
const withRow = (change: (value: string, heading: string) => string) => (content: string) => {
  const [headings = [], ...rows] = parse(content) as string[][];
  const added = (rows.at(-1) ?? []).map((value, n) => change(value, headings[n] ?? ''));
  return stringify([headings, ...rows, added]);
};

test.each(['merchants', 'memberships', 'api_keys', 'customers', 'ledger_entries'])(
  'a row of another merchant in %s',
  async (name) => {
    const file = `${name}.csv`;
    const archive = await openArchive(path);
    archive.close();
    const rows = archive.manifest.members.find((one) => one.file === file)?.rows ?? 0;
    expect(rows).toBeGreaterThan(0);
    const merchant = name === 'merchants' ? 'id' : 'merchant_id';
    const bytes = await forged(
      file,
      withRow((value, heading) => (heading === merchant ? newId() : value)),
    );
    expect(await refusalOf(bytes, true)).toBe(
      `Row ${rows + 1} of ${file} belongs to another merchant: nothing was imported.`,
    );
  },
);

test('a file that was changed after it was signed, with its checksums', async () => {
  const bytes = await forged('stores.csv', (content) => content.replace('NORTH', 'SOUTH'), true);
  const reason = 'The archive was changed after it was signed: nothing was imported.';
  expect(await refusalOf(bytes)).toBe(reason);
  expect(await refusalOf(bytes, true)).toBe(reason);
});

/** For each table that others refer to, the first row of the archive that names one of its rows. */
async function filledReferences() {
  const archive = await openArchive(path);
  const found: { file: string; heading: string; row: number; named: string }[] = [];
  for (const table of archivedTables) {
    const file = `${getTableName(table)}.csv`;
    const [headings = [], ...rows] = parse(await text(await archive.open(file))) as string[][];
    for (const { columns, foreignTable } of referencesOf(table)) {
      const heading = columns.map(({ name }) => name).find((name) => name !== 'merchant_id');
      const at = headings.indexOf(heading ?? '');
      const row = rows.findIndex((cells) => /^[0-9a-f]{8}-/.test(cells[at] ?? ''));
      const named = getTableName(foreignTable);
      if (heading && row >= 0 && !found.some((one) => one.named === named)) found.push({ file, heading, row, named });
    }
  }
  archive.close();
  return found;
}

test('a row that names a store, customer, category or anything else of another merchant', async () => {
  const references = await filledReferences();
  expect(references.map(({ named }) => named)).toEqual(
    expect.arrayContaining(['stores', 'customers', 'menu_categories', 'transactions', 'lots']),
  );
  for (const { file, heading, row } of references) {
    const bytes = await forged(file, (content) => {
      const [headings = [], ...rows] = parse(content) as string[][];
      const cells = rows[row] ?? [];
      cells[headings.indexOf(heading)] = newId();
      return stringify([headings, ...rows]);
    });
    expect(await refusalOf(bytes, true), `${heading} of ${file}`).toMatch(
      new RegExp(`^Row ${row + 1} of ${file} names a row of \\w+ that the archive lacks: nothing was imported.$`),
    );
  }
}, 120_000);

test('a person whom it does not bring becomes a member of no staff', async () => {
  const stranger = await createPerson(target.owner);
  const bytes = await forged(
    'memberships.csv',
    withRow((value, heading) => (heading === 'user_id' ? stranger.userId : value)),
  );
  const forgedPath = join(folder, 'forged.zip');
  await writeFile(forgedPath, bytes);
  const origin = { namedFingerprint: sha256(bytes) };
  await expect(bringIn(target, forgedPath, 'carry', ownSecrets, true, origin)).rejects.toThrow(
    /^Row \d+ of memberships.csv names a person who is not in people.csv: nothing was imported.$/,
  );
  expect(await target.owner`select from merchants`).toEqual([]);
});
