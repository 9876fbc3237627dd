/** Writes down the schema of a database as SQL, to be read: `db/schema.sql` says what each table and function is now. */
import type { Sql, TransactionSql } from '../driver';

const header = `-- Written by \`npm run generate\` from the catalogue of a database with all migrations: what each type, table and function is now.
-- It is for reading: migrations make it so. Roles other than the owner have the rights that are listed, and no others.
`;

/** Returns the types, tables and functions of \`public\`, each with all that belongs to it, in the order of their names. */
export async function schemaSql(sql: Sql): Promise<string> {
  return sql.begin('read only', async (tx) => {
    // Names in definitions are written without the schema.
    await tx`set local search_path = public`;
    const types = await tx<Part[]>`
      select '' as owner, format('CREATE TYPE %I AS ENUM (%s);', typname, string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)) as text
      from pg_type t join pg_enum e on e.enumtypid = t.oid
      where typnamespace = 'public'::regnamespace group by typname order by typname collate "C"`;
    const tables = await tablesOf(tx);
    const routines = await tx<Part[]>`
      select '' as owner, rtrim(pg_get_functiondef(p.oid), E'\n') || E';\n' || coalesce((
        select string_agg(format('GRANT EXECUTE ON %s %s TO %s;', case prokind when 'p' then 'PROCEDURE' else 'FUNCTION' end,
          p.oid::regprocedure, case grantee when 0 then 'PUBLIC' else quote_ident(pg_get_userbyid(grantee)) end), E'\n')
        from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee <> p.proowner), '-- For the owner alone.') as text
      from pg_proc p where pronamespace = 'public'::regnamespace order by proname collate "C", p.oid::regprocedure::text`;
    const parts = [types.map(({ text }) => text).join('\n'), ...tables, ...routines.map(({ text }) => text)];
    return `${header}\n${parts.join('\n\n')}\n`;
  });
}

interface Part {
  /** The table that it belongs to. */
  owner: string;
  text: string;
}

/** What stands between the parentheses of `CREATE TABLE`. */
const columnsAndConstraints = (tx: TransactionSql) => tx<Part[]>`
  select owner, text from (
    select attrelid::regclass::text as owner, 0 as kind, attnum as place, '' as name,
      concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
        case when attcollation <> typcollation then 'COLLATE ' || attcollation::regcollation end,
        case when attidentity <> '' then 'GENERATED ' || case attidentity when 'a' then 'ALWAYS' else 'BY DEFAULT' end || ' AS IDENTITY' end,
        case when attgenerated <> '' then format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(adbin, adrelid, true))
          when adbin is not null then 'DEFAULT ' || pg_get_expr(adbin, adrelid, true) end,
        case when attnotnull then 'NOT NULL' end) as text
    from pg_attribute a join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select conrelid::regclass::text, 1, array_position('{p,u,f}', contype::text), conname,
      format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid, true))
    from pg_constraint where contype not in ('n', 't')
  ) part order by kind, place, name collate "C"`;

/** The statements behind `CREATE TABLE`. */
const statements = (tx: TransactionSql) => tx<Part[]>`
  select owner, text from (
    select oid::regclass::text as owner, 0 as kind, '' as name, s.text
    from pg_class, unnest(array[
      case when relpersistence = 'u' then 'SET UNLOGGED' end,
      case relreplident when 'f' then 'REPLICA IDENTITY FULL' when 'n' then 'REPLICA IDENTITY NOTHING' end,
      case when reloptions is not null then format('SET (%s)', array_to_string(reloptions, ', ')) end,
      case when relrowsecurity then 'ENABLE ROW LEVEL SECURITY' end
    ]) setting, lateral (select format('ALTER TABLE %s %s;', oid::regclass, setting) as text) s
    where setting is not null
    union all
    select indrelid::regclass::text, 1, indexrelid::regclass::text,
      pg_get_indexdef(indexrelid, 0, true) || case when indisvalid then ';' else '; -- not valid' end
    from pg_index where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    union all
    select polrelid::regclass::text, 2, polname, format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s;', polname, polrelid::regclass,
      case when polpermissive then 'PERMISSIVE' else 'RESTRICTIVE' end,
      case polcmd when '*' then 'ALL' when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' else 'DELETE' end,
      (select string_agg(case role when 0 then 'PUBLIC' else role::regrole::text end, ', ') from unnest(polroles) role),
      E'\n  USING (' || pg_get_expr(polqual, polrelid, true) || ')', E'\n  WITH CHECK (' || pg_get_expr(polwithcheck, polrelid, true) || ')')
    from pg_policy
    union all
    select tgrelid::regclass::text, 3, tgname, pg_get_triggerdef(oid, true) || ';' || case when tgenabled = 'O' then '' else format(E'\nALTER TABLE %s %s TRIGGER %I;', tgrelid::regclass,
      case tgenabled when 'R' then 'ENABLE REPLICA' when 'A' then 'ENABLE ALWAYS' else 'DISABLE' end, tgname) end
    from pg_trigger where not tgisinternal
    union all
    select owner, 4, role, format('GRANT %s ON %s TO %s;', string_agg(privilege, ', ' order by privilege), owner, role)
    from (
      select oid::regclass::text as owner, grantee::regrole::text as role, privilege_type as privilege
      from pg_class c, aclexplode(relacl) where grantee <> relowner
      union all
      select c.oid::regclass::text, grantee::regrole::text, format('%s (%s)', privilege_type, string_agg(quote_ident(attname), ', ' order by attnum))
      from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(attacl)
      where grantee <> relowner group by 1, 2, privilege_type
    ) own group by owner, role
  ) part order by kind, name collate "C"`;

async function tablesOf(tx: TransactionSql): Promise<string[]> {
  const names = await tx<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname collate "C"`;
  const [inside, behind] = await Promise.all([columnsAndConstraints(tx), statements(tx)]);
  const of = (parts: Part[], name: string) => parts.filter(({ owner }) => owner === name).map(({ text }) => text);
  return names.map(({ name }) => {
    const columns = of(inside, name).join(',\n  ');
    return [`CREATE TABLE ${name} (\n  ${columns}\n);`, ...of(behind, name)].join('\n');
  });
}
