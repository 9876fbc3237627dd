/** What the database itself rejects, whatever the application does. Covers every table, including new ones. */

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appRole, connectDatabase, type Sql, type TransactionSql } from '../driver';
import { ownDatabase } from '../testing/database';
import { codeOf } from '../testing/error-code';
import { dropConstraints, insertSample, tenantTables } from '../testing/sample-rows';

const merchantA = randomUUID();
const merchantB = randomUUID();
const denied = '42501';

/** Acts for merchant A, as the application does through `withMerchant`. */
const asMerchantA = <T>(sql: Sql, work: (tx: TransactionSql) => Promise<T>) =>
  sql.begin(async (tx) => {
    await tx`select set_config('app.merchant_id', ${merchantA}, true)`;
    return work(tx);
  }) as Promise<T>;

describe('row-level security', () => {
  const probeRole = `tenancy_probe_${randomBytes(6).toString('hex')}`;
  const database = ownDatabase();
  /** A role that may do everything to every table, so that only the policies restrict it. */
  let probe: Sql;
  let tables: Awaited<ReturnType<typeof tenantTables>>;

  beforeAll(async () => {
    const { owner } = database;
    await dropConstraints(owner);
    await owner.unsafe(`create role ${probeRole} nologin`);
    await owner.unsafe(`grant all on all tables in schema public to ${probeRole}`);
    await owner.unsafe(`grant execute on all functions in schema public to ${probeRole}`);
    probe = connectDatabase(database.url, { role: probeRole }).openSession({ max: 2 });
    tables = await tenantTables(owner);
    for (const { table, tenant } of tables) {
      for (const merchant of [merchantA, merchantB]) await insertSample(owner, table, { [tenant]: merchant });
    }
  });

  afterAll(async () => {
    await probe?.end();
    await database.owner.unsafe(`drop owned by ${probeRole}; drop role ${probeRole}`);
  });

  /** Returns the tables with an unexpected result, and the result. */
  async function exceptions<T>(expected: T, look: (table: string, tenant: string) => Promise<T>) {
    expect(tables.length).toBeGreaterThan(15);
    const found: Record<string, T> = {};
    for (const { table, tenant } of tables) {
      const outcome = await look(table, tenant);
      if (JSON.stringify(outcome) !== JSON.stringify(expected)) found[table] = outcome;
    }
    return found;
  }

  const asA = <T>(query: string) => asMerchantA(probe, async (sql) => (await sql.unsafe(query)) as unknown as T);

  test('is on for every table of a merchant, with a policy for reading and for writing', async () => {
    const state = (table: string) => database.owner`
      select relrowsecurity as enabled, exists (
        select from pg_policy where polrelid = c.oid and polqual is not null and polwithcheck is not null
          and polcmd = '*' and polroles = '{0}') as policy
      from pg_class c where c.oid = ${table}::regclass`;
    expect(
      await exceptions([{ enabled: true, policy: true }], async (table) => [...(await state(table))] as never),
    ).toEqual({});
  });

  test('is on for every table, those that belong to no merchant included', async () => {
    const open = await database.owner`
      select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not (relrowsecurity and exists (select from pg_policy where polrelid = c.oid))`;
    expect([...open]).toEqual([]);
  });

  test('is not bypassed by any view', async () => {
    const views = await database.owner`
      select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
        and not coalesce(reloptions::text like '%security_invoker=true%', false)`;
    expect([...views]).toEqual([]);
  });

  test("shows A its own row and none of B's", async () => {
    const seen = await exceptions([merchantA], async (table, tenant) => {
      const rows = await asA<{ merchant: string }[]>(`select "${tenant}"::text as merchant from "${table}"`);
      return rows.map(({ merchant }) => merchant);
    });
    expect(seen).toEqual({});
  });

  test('shows no rows without a tenant', async () => {
    const count = async (table: string) =>
      (await probe.unsafe(`select count(*)::int as rows from "${table}"`))[0]?.rows as number;
    expect(await exceptions(0, count)).toEqual({});
  });

  test('lets A insert for itself but not for B', async () => {
    const insertFor = (merchant: string) => (table: string, tenant: string) =>
      codeOf(
        asMerchantA(probe, async (sql) => {
          // Some tables hold one row per merchant.
          await sql.unsafe(`delete from "${table}"`);
          await insertSample(sql, table, { [tenant]: merchant });
          throw Object.assign(new Error('undone'), { code: 'undone' });
        }),
      );
    expect(
      await exceptions('undone', (table, tenant) =>
        insertFor(tenant === 'id' ? randomUUID() : merchantA)(table, tenant),
      ),
    ).toEqual({
      merchants: denied,
    });
    expect(await exceptions(denied, insertFor(merchantB))).toEqual({});
  });

  test("lets A neither update nor delete B's rows, nor move its own to B", async () => {
    const rowsOf = async (query: string) => (await asA<{ count: number }>(query)).count;
    const change = (table: string, tenant: string) =>
      rowsOf(`update "${table}" set "${tenant}" = "${tenant}" where "${tenant}" = '${merchantB}'`);
    expect(await exceptions(0, change)).toEqual({});
    const remove = (table: string, tenant: string) =>
      rowsOf(`delete from "${table}" where "${tenant}" = '${merchantB}'`);
    expect(await exceptions(0, remove)).toEqual({});
    const giveAway = (table: string, tenant: string) =>
      codeOf(asA(`update "${table}" set "${tenant}" = '${merchantB}'`));
    expect(await exceptions(denied, giveAway)).toEqual({});
  });
});

describe("the application's role", () => {
  const database = ownDatabase();
  let own: Sql;
  beforeAll(async () => {
    own = database.db.openSession({ max: 1 });
  });
  afterAll(() => own?.end());

  const attempt = (query: string) => codeOf(asMerchantA(own, (sql) => sql.unsafe(query)));

  test('is restricted: no superuser, no owner, no bypass of row-level security', async () => {
    const [role] = await own`
      select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, current_user::text as name,
        (select count(*)::int from pg_class where relowner = r.oid) as owns
      from pg_roles r where rolname = current_user`;
    expect(role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      name: appRole,
      owns: 0,
    });
  });

  test('cannot shadow a table of a security-definer function with a temporary table', async () => {
    const functions = await database.owner`
      select proname, proconfig from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`;
    expect(functions.length).toBeGreaterThan(10);
    const isSafe = ({ proconfig }: { proconfig?: string[] }) =>
      proconfig?.includes('search_path=pg_catalog, public, pg_temp') === true;
    expect(functions.filter((one) => !isSafe(one)).map(({ proname }) => proname)).toEqual([]);
  });

  test.each([
    ['change a ledger entry', 'update ledger_entries set amount = 1'],
    ['delete a ledger entry', 'delete from ledger_entries'],
    ['empty the ledger', 'truncate ledger_entries'],
    ["change a transaction's answer", "update transactions set answer = '{}'"],
    ["change what a transaction's request was", "update transactions set request_hash = ''"],
    ["change a transaction's amount", 'update transactions set amount = 1'],
    ['delete a transaction', 'delete from transactions'],
    ['change what a lot granted', 'update lots set granted = 1'],
    ['delay what expires', 'update lots set expires_at = null'],
    ['delete a lot', 'delete from lots'],
    ['delete a balance', 'delete from balances'],
    ['rewrite the audit log', "update audit_log set action = ''"],
    ['delete from the audit log', 'delete from audit_log'],
    ['rewrite a void', 'update voids set reason = null'],
    ['switch row-level security off', 'alter table customers disable row level security'],
    ['create a table', 'create table public.mine (id int)'],
  ])('may not %s', async (_, query) => {
    expect(await attempt(query)).toBe(denied);
  });

  test.each([
    'select from ledger_entries',
    'update lots set remaining = 0',
    "update transactions set status = 'voided'",
  ])('may do what it needs: %s', async (query) => {
    expect(await attempt(query)).toBe('done');
  });
});

describe('foreign keys', () => {
  const database = ownDatabase();
  beforeAll(async () => {
    await dropConstraints(database.owner, { keepForeignKeys: true });
  });

  interface ForeignKey {
    name: string;
    table: string;
    columns: string[];
    target: string;
    targetColumns: string[];
  }

  /** Foreign keys between tables of merchants. `merchants` itself is excluded, because A and B are its rows. */
  const foreignKeys = () => database.owner<ForeignKey[]>`
    select f.conname as name, t.relname as table, r.relname as target, (
        select array_agg(attname::text order by n) from unnest(f.conkey) with ordinality k (number, n)
        join pg_attribute on attrelid = f.conrelid and attnum = number) as columns, (
        select array_agg(attname::text order by n) from unnest(f.confkey) with ordinality k (number, n)
        join pg_attribute on attrelid = f.confrelid and attnum = number) as "targetColumns"
    from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace
      and exists (select from pg_attribute where attrelid = t.oid and attname = 'merchant_id')
      and exists (select from pg_attribute where attrelid = r.oid and attname = 'merchant_id')
    order by t.relname, f.conname`;

  /** Inserts a row of `merchant` that refers to a row of B, returns the result, and rolls back. */
  async function refer(key: ForeignKey, merchant: string): Promise<string> {
    let outcome = '';
    const undone = database.owner.begin(async (tx) => {
      const others = await tx`
        select quote_ident(conname) as name from pg_constraint
        where conrelid = ${key.table}::regclass and contype = 'f' and conname <> ${key.name}`;
      for (const { name } of others) await tx.unsafe(`alter table "${key.table}" drop constraint ${name}`);
      await tx`set local session_replication_role = replica`;
      const target = await insertSample(tx, key.target, { merchant_id: merchantB });
      await tx`set local session_replication_role = origin`;
      await tx`set constraints all immediate`;
      const reference = key.columns.map((column, i) => [column, target[key.targetColumns[i] as string]]);
      const row = { ...Object.fromEntries(reference), merchant_id: merchant };
      outcome = await tx
        .savepoint((nested) => insertSample(nested, key.table, row))
        .then(
          () => 'accepted',
          (error) => (error.code === '23503' ? `refused by ${error.constraint_name}` : error.message),
        );
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    return outcome;
  }

  test("reject references to another merchant's row, even from the owner", async () => {
    const keys = await foreignKeys();
    expect(keys.length).toBeGreaterThan(10);
    const wrong: Record<string, string[]> = {};
    for (const key of keys) {
      const outcomes = [await refer(key, merchantB), await refer(key, merchantA)];
      if (outcomes.join() !== `accepted,refused by ${key.name}`) wrong[key.name] = outcomes;
    }
    expect(wrong).toEqual({});
  });
});
