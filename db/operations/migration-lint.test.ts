import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lintMigrations } from '../testing/migration-lint';
import { type Migration, readMigrations } from './migrations-folder';

/** The last migration that does not have to work beside an older release. */
const baseline = '0019_closed_merchants';

test('every migration since the baseline can run while the service does, beside the release before', async () => {
  const migrations = readMigrations();
  const since = migrations.slice(migrations.findIndex(({ tag }) => tag === baseline) + 1);
  expect(since.length).toBeLessThan(migrations.length);
  expect(await lintMigrations(since)).toEqual([]);
});

test('the first line of a migration says with which releases it goes together', () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  const files = {
    '0000_old': 'SELECT 1;',
    '0001_add': '-- expand\nSELECT 2;--> statement-breakpoint\nSELECT 3;',
    '0002_index': '-- expand, one statement at a time\nSELECT 4;',
    '0003_drop': '-- contract, for releases since 0001_add\nSELECT 5;',
    '0004_drop_index': '-- contract, for releases since 0002_index, one statement at a time\nSELECT 6;',
  };
  mkdirSync(join(folder, 'meta'));
  for (const [tag, text] of Object.entries(files)) writeFileSync(join(folder, `${tag}.sql`), text);
  const entries = Object.keys(files).map((tag, n) => ({ tag, when: 100 + n, idx: n, breakpoints: true }));
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ entries }));
  const found = readMigrations(folder).map((one) => [
    one.tag,
    one.compatibleSince,
    one.isAtomic,
    one.statements.length,
  ]);
  rmSync(folder, { recursive: true });
  expect(found).toEqual([
    ['0000_old', null, true, 1],
    ['0001_add', 0, true, 2],
    ['0002_index', 0, false, 1],
    ['0003_drop', 101, true, 1],
    ['0004_drop_index', 102, false, 1],
  ]);
});

const expand = (...statements: string[]): Migration => ({
  tag: 'x',
  hash: '',
  at: 0,
  statements,
  isAtomic: true,
  compatibleSince: 0,
});
const contract = (...statements: string[]): Migration => ({ ...expand(...statements), compatibleSince: 1 });
const alone = (...statements: string[]): Migration => ({ ...expand(...statements), isAtomic: false });

describe('a migration is refused', () => {
  test.each([
    ['create index i on stores (name)', 'by a migration of its own, one statement at a time'],
    ['alter table stores add column a int not null', 'a is new: nullable, or with a constant default'],
    ['alter table stores add column a uuid default gen_random_uuid()', 'rewrites the table'],
    ['alter table stores add column a bigserial', 'rewrites the table'],
    ['alter table stores add column a int generated always as (1) stored', 'constraints of the new column a'],
    ['alter table stores add column a uuid references menus', 'constraints of the new column a'],
    ['alter table stores alter column name type varchar(9)', 'rewrites the table'],
    ['alter table stores add constraint c check (a > 1)', 'NOT VALID'],
    ['alter table stores add constraint c foreign key (a) references menus', 'NOT VALID'],
    ['alter table stores add constraint c check (name > 1) not valid', 'c, on columns that it writes, breaks'],
    ['alter table stores add constraint c unique (name)', 'USING INDEX'],
    ['alter table stores validate constraint c', 'one statement at a time'],
    ['alter table stores drop column name', 'dropping a column breaks the release before'],
    ['alter table stores alter column name drop default', 'dropping a default breaks the release before'],
    ['alter table stores alter column name set not null', 'NOT NULL breaks the release before'],
    ['alter table stores disable trigger all', 'AT_DisableTrigAll is not known to be harmless'],
    ['alter table stores rename column name to title', 'renaming breaks'],
    ['alter table stores rename to shops', 'renaming breaks'],
    ['drop table stores', 'dropping (OBJECT_TABLE) breaks'],
    ['drop function f(int)', 'dropping (OBJECT_FUNCTION) breaks'],
    ['alter table stores drop constraint stores_pkey', 'dropping the constraint stores.stores_pkey breaks'],
    [
      'alter table stores drop constraint c, add constraint c unique using index i',
      'dropping the constraint stores.c breaks',
    ],
    [
      'alter table stores drop constraint c, add constraint d check (a > 1) not valid',
      'the constraint stores.c breaks',
    ],
    ['alter policy tenant on stores using (false)', 'changing a policy breaks'],
    ['create policy none on stores as restrictive using (false)', 'a restrictive policy breaks'],
    [
      'create trigger t before insert on stores for each row execute function f()',
      'a trigger on a table in use breaks',
    ],
    ['drop index i', 'by a migration of its own'],
    ['revoke select on stores from loyalty_app', 'revoking a right breaks'],
    ['revoke execute on function f from public', 'revoking a right breaks'],
    ["update stores set name = ''", 'in batches'],
    ['delete from stores', 'in batches'],
    ['insert into stores select * from stores', 'in batches'],
    ['do $$ begin end $$', 'DoStmt is not known to be harmless'],
    ['truncate stores', 'TruncateStmt is not known to be harmless'],
    ['vacuum full stores', 'VacuumStmt is not known to be harmless'],
  ])('%s', async (statement, problem) => {
    expect((await lintMigrations([expand(statement)])).join()).toContain(problem);
  });

  test.each([
    ['create index i on stores (name)', 'CONCURRENTLY IF NOT EXISTS'],
    ['create index concurrently i on stores (name)', 'CONCURRENTLY IF NOT EXISTS'],
    ['create unique index concurrently if not exists i on stores (name)', 'a unique index on columns that it writes'],
    ['drop index concurrently if exists i', 'dropping an index breaks'],
    ['do $$ begin update stores set a = 1; end $$', 'in batches'],
    ['alter table stores add column a int', 'belongs into a migration that is one transaction'],
    ['alter table stores validate constraint a; alter table stores validate constraint b', 'exactly one statement'],
  ])('one statement at a time: %s', async (statement, problem) => {
    expect((await lintMigrations([alone(statement)])).join()).toContain(problem);
  });

  test.each([
    [['alter table stores add column a int', 'alter table menus add column a int'], 'stores, menus'],
    [['create policy p on stores using (true)', 'create policy p on menus using (true)'], 'stores, menus'],
    [['drop table stores, menus'], 'stores, menus'],
    [['drop policy p on stores', 'drop trigger t on menus'], 'stores, menus'],
  ])('for locks on several tables in use: %s', async (statements, tables) => {
    expect(await lintMigrations([contract(...statements)])).toEqual([
      `x: it locks several tables in use (${tables}): one in each migration`,
    ]);
  });

  test('without a kind', async () => {
    const findings = await lintMigrations([{ ...expand('create table a ()'), compatibleSince: null }]);
    expect(findings).toEqual(['x: its first line says neither "-- expand" nor "-- contract, for releases since …"']);
  });

  test('also in a contract migration, where it would stop the tills', async () => {
    const findings = await lintMigrations([
      contract(
        'alter table stores alter column name set not null',
        'alter table stores add constraint c check (name > 1)',
        'update stores set a = 1',
      ),
    ]);
    expect(findings.length).toBe(3);
  });
});

test('what can run beside the release before is accepted, and what ends the old way, later', async () => {
  const migrations = [
    expand(
      'create table notes (id int primary key, store_id int references stores)',
      'create index on notes (store_id)',
      'alter table notes enable row level security',
      'create policy tenant on notes using (true)',
      'alter policy tenant on notes using (false)',
      'create trigger t before insert on notes for each row execute function f()',
      'insert into notes select 1, id from stores',
      'create function f() returns int language sql as $$ select 1 $$',
      'revoke execute on function f from public',
      'grant execute on function f to loyalty_app',
      'grant update (title) on stores to loyalty_app',
      `alter table stores add column title text, add column opened_at timestamptz default now() not null,
        add column tags text[] default '{}'::text[] not null`,
      'alter table stores add constraint stores_title check (stores.title is not null) not valid',
      'alter table stores drop constraint stores_kind, add constraint stores_kind check (kind in (1, 2, 3)) not valid',
    ),
    alone(
      'alter table stores validate constraint stores_title',
      'create unique index concurrently if not exists stores_titles on stores (merchant_id, title)',
      `do $$ begin loop
        update stores set title = name where id in (select id from stores where title is null limit 500 for update skip locked);
        exit when not found; commit; end loop; end $$`,
    ),
    contract('alter table stores alter column title set not null', 'alter table stores drop column name'),
    { ...alone('drop index concurrently if exists stores_names'), compatibleSince: 1 },
  ];
  expect(await lintMigrations(migrations)).toEqual([]);
});
