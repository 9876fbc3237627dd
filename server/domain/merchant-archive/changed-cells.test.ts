/**
 * Somebody changes cells of an archive, and its checksums with them. Signed, it is refused. Even where the operator
 * names the file, it is refused, or changes nothing of any other merchant and brings in only people whom it names.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { getTableName } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ZipFile } from 'yazl';
import { cloneDatabase, type OpenDatabase } from '@/db/testing/clone';
import { ownDatabase } from '@/db/testing/database';
import { tenantTables } from '@/db/testing/sample-rows';
import { bringIn, ownSecrets, saveArchive, startExport } from '@/server/testing/archives';
import { createHistory } from '@/server/testing/merchant-history';
import { randomFrom } from '@/server/testing/random';
import { newId } from '../kernel/ids';
import { openArchive } from '.';
import { type Manifest, manifestFile } from './manifest';
import { archivedTables, peopleFile } from './members';
import { signatureFile } from './signature';

const source = ownDatabase();
let folder: string;
let files: Map<string, Buffer>;
let bystander: { id: string; path: string; files: Map<string, Buffer> };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cells-'));
  files = (await exportHistory(1)).files;
  bystander = await exportHistory(2);
});
afterAll(() => rm(folder, { recursive: true }));

async function exportHistory(seed: number) {
  const { merchant } = await createHistory(source, { seed, steps: 12 });
  const { path, manifest } = await saveArchive(folder, await startExport(source, merchant.id));
  const archive = await openArchive(path);
  const found = new Map<string, Buffer>();
  for (const file of [...manifest.members.map((member) => member.file), manifestFile, signatureFile])
    found.set(file, Buffer.from(await text(await archive.open(file))));
  archive.close();
  return { id: merchant.id, path, files: found };
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const rowsIn = (content: Buffer | undefined): string[][] => parse(content ?? '');

/** Replaces a random cell by one of the bystander, of another row, or by an unknown id. */
function changeCell(random: () => number) {
  const pick = <T>(all: T[]): T => all[Math.floor(random() * all.length)] as T;
  const filled = [...files.keys()].filter((file) => file.endsWith('.csv') && rowsIn(files.get(file)).length > 1);
  const file = pick(filled);
  const [headings = [], ...rows] = rowsIn(files.get(file));
  const row = pick(rows);
  const column = Math.floor(random() * headings.length);
  const before = row[column];
  const [, ...others] = rowsIn(bystander.files.get(file));
  const candidates = [
    ...others.map((one) => one[column] ?? ''),
    ...others.map((one) => one[column] ?? ''),
    pick(rows)[column] ?? '',
    newId(),
    '0',
    '',
  ];
  row[column] = pick(candidates);
  const name = `${headings[column]} of ${file}: ${before} → ${row[column]}`;
  return { file, content: stringify([headings, ...rows]), isSame: before === row[column], name };
}

async function write(file: string, content: string, isSigned: boolean): Promise<Buffer> {
  const manifest: Manifest = JSON.parse(String(files.get(manifestFile)));
  const members = manifest.members.map((one) => (one.file === file ? { ...one, sha256: sha256(content) } : one));
  const zip = new ZipFile();
  for (const [name, bytes] of files) {
    if (name === manifestFile)
      zip.addBuffer(Buffer.from(`${JSON.stringify({ ...manifest, members }, null, 2)}\n`), name);
    else if (name === file) zip.addBuffer(Buffer.from(content), name);
    else if (name !== signatureFile || isSigned) zip.addBuffer(bytes, name);
  }
  zip.end();
  return buffer(zip.outputStream);
}

const openTarget = async () => {
  const database = await cloneDatabase(inject('adminUrl'));
  await bringIn(database, bystander.path);
  return database;
};

/** One query over all tables of merchants. */
async function overTables({ owner }: OpenDatabase, select: (table: string, tenant: string) => string) {
  const parts = (await tenantTables(owner)).map(({ table, tenant }) => select(table, tenant));
  return parts.join(' union all ');
}

const idsOfPeople = (from: Map<string, Buffer>) =>
  rowsIn(from.get(peopleFile))
    .slice(1)
    .map(([id = '']) => id);

/** All that belongs to others than the archive's merchant: rows of the bystander, and its people. */
async function othersIn(database: OpenDatabase): Promise<string[]> {
  const rows = await database.owner.unsafe(
    `${await overTables(database, (table, tenant) => `select '${table} ' || to_jsonb(t)::text as row from "${table}" t where ${tenant} = $1`)}
     union all select 'users ' || to_jsonb(u)::text from users u where id::text = any($2) order by 1`,
    [bystander.id, idsOfPeople(bystander.files)],
  );
  return rows.map(({ row }) => row);
}

/** How many rows the merchant has, by table. */
async function rowsOfMerchant(database: OpenDatabase, id: string): Promise<Record<string, number>> {
  const rows = await database.owner.unsafe(
    await overTables(
      database,
      (table, tenant) => `select '${table}' as name, count(*)::int as rows from "${table}" where ${tenant} = $1`,
    ),
    [id],
  );
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
}

/** Removes what an import brought, for the next one. */
async function remove({ owner }: OpenDatabase, id: string, counts: Record<string, number>): Promise<void> {
  const tables = (await tenantTables(owner)).filter(({ table }) => (counts[table] ?? 0) > 0);
  await owner.begin(async (connection) => {
    await connection.unsafe('set local session_replication_role = replica');
    for (const { table, tenant } of tables)
      await connection.unsafe(`delete from "${table}" where ${tenant} = $1`, [id]);
    await connection.unsafe('delete from users where not id::text = any($1)', [idsOfPeople(bystander.files)]);
  });
}

test('a changed cell of a signed archive is refused, and an unchanged one is the merchant', async () => {
  const random = randomFrom(20261128);
  const target = await openTarget();
  const before = await othersIn(target);
  const path = join(folder, 'signed.zip');
  let changed = 0;
  for (let n = 0; n < 16; n++) {
    const { file, content, isSame, name } = changeCell(random);
    if (isSame) continue;
    await writeFile(path, await write(file, content, true));
    await expect(bringIn(target, path), name).rejects.toThrow('was changed after it was signed');
    changed += 1;
  }
  expect(changed).toBeGreaterThan(4);
  expect(await othersIn(target)).toEqual(before);
  const stores = 'stores.csv';
  await writeFile(path, await write(stores, String(files.get(stores)), true));
  const { merchant, rows } = await bringIn(target, path);
  const manifest: Manifest = JSON.parse(String(files.get(manifestFile)));
  expect(merchant.id).toBe(manifest.merchant.id);
  expect(rows).toBe(manifest.members.reduce((sum, member) => sum + member.rows, 0));
  await target.drop();
});

test('a changed cell in a file that the operator names is refused, or changes nothing of others', async () => {
  const random = randomFrom(42);
  const target = await openTarget();
  const before = await othersIn(target);
  const manifest: Manifest = JSON.parse(String(files.get(manifestFile)));
  const { id } = manifest.merchant;
  const path = join(folder, 'named.zip');
  const outcomes = { refused: 0, imported: 0 };
  for (let n = 0; n < 24; n++) {
    const { file, content, name } = changeCell(random);
    const bytes = await write(file, content, false);
    await writeFile(path, bytes);
    const origin = { namedFingerprint: sha256(bytes) };
    const isImported = await bringIn(target, path, 'carry', ownSecrets, true, origin).then(
      () => true,
      () => false,
    );
    expect(await othersIn(target), name).toEqual(before);
    const counts = await rowsOfMerchant(target, id);
    if (isImported) {
      for (const table of archivedTables.map(getTableName)) {
        const { rows = 0 } = manifest.members.find((one) => one.file === `${table}.csv`) ?? {};
        expect(counts[table], `${table} after ${name}`).toBe(table === 'audit_log' ? rows + 1 : rows);
      }
      outcomes.imported += 1;
      await remove(target, id, counts);
    } else {
      expect(
        Object.values(counts).filter((rows) => rows > 0),
        name,
      ).toEqual([]);
      outcomes.refused += 1;
    }
  }
  expect(outcomes.refused).toBeGreaterThan(4);
  expect(outcomes.imported).toBeGreaterThan(2);
  await target.drop();
}, 240_000);

test('a balance that its own ledger contradicts is refused, also in a file that the operator names', async () => {
  const target = await openTarget();
  const [headings = [], ...rows] = rowsIn(files.get('balances.csv'));
  const column = headings.indexOf('principal');
  const [row] = rows;
  if (!row) throw new Error('there is no balance');
  row[column] = String(Number(row[column]) + 9_000_000);
  const bytes = await write('balances.csv', stringify([headings, ...rows]), false);
  const path = join(folder, 'richer.zip');
  await writeFile(path, bytes);
  const isRefused = bringIn(target, path, 'carry', ownSecrets, true, { namedFingerprint: sha256(bytes) });
  await expect(isRefused).rejects.toThrow('ledger does not add up');
  await target.drop();
});
