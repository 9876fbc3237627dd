/** Migrations are never edited and match the schema. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { expect, test } from 'vitest';
import * as schema from '../schema';
import { ownDatabase } from '../testing/database';
import { migrationsFolder } from './migrations-folder';

const read = (...path: string[]) => readFileSync(join(migrationsFolder, ...path), 'utf8');
const journal: { entries: { idx: number; tag: string; when: number }[] } = JSON.parse(read('meta', '_journal.json'));
const database = ownDatabase();

test('none was edited since it was added: databases have applied it, so a change needs a new migration', () => {
  // The output of `sha256sum *.sql`, one line per file.
  const added = read('checksums').trim().split('\n');
  const files = journal.entries.map(({ tag }) => `${tag}.sql`);
  const found = files.map((file) => `${createHash('sha256').update(read(file)).digest('hex')}  ${file}`);
  expect(found).toEqual(added);
  const times = journal.entries.map(({ when }) => when);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('the one snapshot matches the schema', async () => {
  const files = readdirSync(join(migrationsFolder, 'meta')).filter((name) => name !== '_journal.json');
  // drizzle-kit reads only the newest snapshot.
  expect(files).toHaveLength(1);
  const snapshot = JSON.parse(read('meta', files[0] as string));
  expect(await generateMigration(snapshot, generateDrizzleJson(schema, snapshot.id))).toEqual([]);
});

test('0002: why a message failed, kept in English, is kept as a sentence; what is none of ours stays in its words', async () => {
  const [inWords = '', intoSentences = ''] = read('0002_failure_sentences.sql').split('--> statement-breakpoint');
  const rows = await database.owner.begin(async (sql) => {
    // Unqualified names find this table before the real one of the same name.
    await sql`create temp table messages (id serial, failure text) on commit drop`;
    await sql`
      insert into messages (failure) values (null), ('replaced by a newer PIN'), ('HTTP 503'),
        ('HTTP 500, WhatsApp error 131026'), ('WhatsApp error unknown'), ('TimeoutError')`;
    await sql.unsafe(inWords);
    await sql.unsafe(intoSentences);
    return sql`select failure from messages order by id`;
  });
  expect(rows.map(({ failure }) => failure)).toEqual([
    null,
    { key: 'pinReplaced', values: {} },
    { key: 'httpError', values: { status: '503' } },
    { key: 'whatsappErrorOverHttp', values: { status: '500', code: '131026' } },
    { key: 'whatsappError', values: { code: 'unknown' } },
    { key: 'verbatim', values: { text: 'TimeoutError' } },
  ]);
});

test('0003: of stores whose codes differ only by case, the oldest stands for the code, and all keep theirs', async () => {
  const [flag = '', unique = ''] = read('0003_screens.sql')
    .split('--> statement-breakpoint')
    .filter((statement) => /UPDATE "stores"|"stores_code_in_any_case"/.test(statement));
  const rows = await database.owner.begin(async (sql) => {
    await sql`create temp table stores (merchant_id int, id int, store_code text, is_code_shared bool default false)
      on commit drop`;
    await sql`insert into stores values (1, 2, 'orchard'), (1, 1, 'ORCHARD'), (1, 3, 'Orchard'), (1, 4, 'BUGIS'),
      (2, 5, 'orchard')`;
    await sql.unsafe(flag);
    await sql.unsafe(unique);
    return sql`select id, store_code, is_code_shared as shared from stores order by id`;
  });
  expect(rows.map(({ id, store_code, shared }) => [id, store_code, shared])).toEqual([
    [1, 'ORCHARD', false],
    [2, 'orchard', true],
    [3, 'Orchard', true],
    [4, 'BUGIS', false],
    [5, 'orchard', false],
  ]);
});

test('logical replication can filter every table of a merchant by that merchant', async () => {
  const tables = await database.owner`
    select c.relname as name, c.relreplident = 'f' or exists (
      select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary and a.attname = 'merchant_id') as "canBe"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and exists (select from pg_attribute where attrelid = c.oid and attname = 'merchant_id')`;
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter(({ canBe }) => !canBe).map(({ name }) => name)).toEqual([]);
});

test('no constraint was left unchecked for older rows: what was added NOT VALID is validated', async () => {
  const found = await database.owner`select conrelid::regclass, conname from pg_constraint where not convalidated`;
  expect(found).toEqual([]);
});
