/** The plan of every statement that a database runs, including those inside its functions, from the server's log. */
import type { Sql } from '../driver';
import { dropConstraints, insertSample } from './sample-rows';

/** A node of a plan in EXPLAIN's JSON. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

export interface Statement {
  text: string;
  plan: PlanNode;
}

/**
 * Makes the application's new connections log their plans. Returns a function that reads the plans since its last call.
 * Only for a separate database.
 */
export async function watchPlans(owner: Sql): Promise<() => Promise<Statement[]>> {
  const name = await databaseName(owner);
  const settings = ['log_min_duration = 0', 'log_nested_statements = on', 'log_format = json'];
  await owner.unsafe(`alter database ${name} set session_preload_libraries = 'auto_explain'`);
  for (const setting of settings) await owner.unsafe(`alter database ${name} set auto_explain.${setting}`);
  Object.assign(owner.options.connection, { 'auto_explain.log_min_duration': '-1' });
  let end = await logEnd(owner);
  return async () => {
    const from = end;
    end = await logEnd(owner);
    const [row] = await owner`select pg_read_file('server.log', ${from}::bigint, ${end - from}::bigint) as log`;
    return statementsOf(row?.log as string);
  };
}

async function logEnd(owner: Sql): Promise<number> {
  const [row] = await owner`select size::int from pg_stat_file('server.log')`;
  return row?.size as number;
}

/** Reads the logged plans. Other lines are skipped. */
function statementsOf(log: string): Statement[] {
  return [...log.matchAll(/ ms {2}plan:\n((?:\t.*\n)+)/g)].map(([, json = '']) => {
    const { 'Query Text': text, Plan: plan } = JSON.parse(json.replaceAll(/^\t/gm, ''));
    return { text, plan };
  });
}

const merchants = 20;
const rowsOfMany = 10_000_000;
const storesOfEach = 10;
const rowsOfFew = 10 * merchants;
const kindsOfEach = 10;

/** Columns that hold a kind or state, with few distinct values. */
const kinds = new Set(
  [
    'action actor_kind channel country currency error_code facet holds_stored_value holds_value is_on kind language',
    'locale method notice_kinds occasion open operation part slot state status subject_kind task template_name time_zone',
    'trigger type',
  ].flatMap((line) => line.split(' ')),
);

/** Distinct values of a column, by its type; negative values are per row. A few rows share an id. */
const distinct: Record<string, number> = {
  uuid: -0.2,
  text: -0.2,
  bytea: -1,
  int2: 300,
  int8: -0.5,
  timestamptz: -0.5,
  date: 1_000,
};
const distinctOf = ({ name, type }: { name: string; type: string }) =>
  ({ merchant_id: merchants, store_id: storesOfEach })[name] ?? (kinds.has(name) ? kindsOfEach : distinct[type]) ?? 5;

/**
 * Makes the planner believe that each table has ten million rows of twenty merchants, and that tables in `few` have ten
 * rows per merchant. The tables are practically empty, so each row seems to need a page read of its own.
 */
export async function pretendRows(owner: Sql, few: ReadonlySet<string>): Promise<void> {
  await owner.unsafe(`alter database ${await databaseName(owner)} set cpu_tuple_cost = 1`);
  await owner.unsafe(`alter database ${await databaseName(owner)} set cpu_index_tuple_cost = 0.5`);
  const relations = await owner<{ name: string; table: string; isTable: boolean }[]>`
    select c.relname as name, coalesce(t.relname, c.relname) as table, t.relname is null as "isTable"
    from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i') order by t.relname is null`;
  await leavePages(
    owner,
    relations.filter(({ isTable }) => isTable).map(({ name }) => name),
  );
  for (const { name, table, isTable } of relations) {
    await owner`
      select pg_restore_relation_stats('schemaname', 'public', 'relname', ${name}::text,
        'relpages', ${isTable ? 1 : 2}::int, 'reltuples', ${few.has(table) ? rowsOfFew : rowsOfMany}::real)`;
  }
  const columns = await owner<{ table: string; name: string; type: string; isRequired: boolean }[]>`
    select c.relname as table, a.attname as name, t.typname as type, a.attnotnull as "isRequired"
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`;
  for (const column of columns) {
    await owner`
      select pg_restore_attribute_stats('schemaname', 'public', 'relname', ${column.table}::text,
        'attname', ${column.name}::text, 'inherited', false, 'null_frac', ${column.isRequired ? 0 : 0.5}::real, 'avg_width', 16,
        'n_distinct', ${distinctOf(column)}::real)`;
  }
}

/**
 * Gives each table and index its first page, by inserting a row and rolling back, because the planner ignores
 * statistics of a table without pages. Indexes lose their predicates for that.
 */
async function leavePages(owner: Sql, tables: string[]): Promise<void> {
  const done = new Error('taken back');
  const rows = owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await dropConstraints(tx);
    await tx`
      update pg_index set indpred = null
      where indpred is not null and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`;
    for (const table of tables) await insertSample(tx, table, {});
    throw done;
  });
  await rows.catch((error) => {
    if (error !== done) throw error;
  });
}

async function databaseName(owner: Sql): Promise<string> {
  const [row] = await owner`select quote_ident(current_database()) as name`;
  return row?.name;
}

/** How a plan finds rows of a table. */
export interface Scan {
  table: string;
  /** The index's name, or the type of the node. */
  by: string;
  /** The index condition; null where the whole index or table is read. */
  condition: string | null;
  /** The condition by which rows are dropped after they were read. */
  filter: string | null;
  /** True if the scan stops once enough rows were found: no node above it needs all of them. */
  endsEarly: boolean;
}

/** Nodes that read all their input before they return the first row. */
const takesAll = /^(Sort|Aggregate|Hash|WindowAgg|SetOp|ModifyTable|Bitmap)/;

/** Row-level security's condition for staff of named stores, if it is the whole filter. It drops no row for others. */
const storePolicy = /^CASE WHEN \(NULLIF\(current_setting\('app\.stores'((?! END).)* END$/;

/** Returns every scan of a plan, except those by row position. */
export function scansOf(node: PlanNode, under: { table?: string; endsEarly: boolean } = { endsEarly: false }): Scan[] {
  const type = node['Node Type'];
  const isBitmap = type === 'Bitmap Heap Scan';
  const table = node['Relation Name'] ?? (type.startsWith('Bitmap') ? under.table : undefined);
  const endsEarly = type === 'Limit' || (under.endsEarly && !takesAll.test(type));
  const below = (node.Plans ?? []).flatMap((child) => scansOf(child, table ? { table, endsEarly } : { endsEarly }));
  const isScan = /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(type) && table !== undefined && !isBitmap;
  if (!isScan) return below;
  const found = { condition: node['Index Cond'] ?? null, filter: node.Filter?.replace(storePolicy, '') || null };
  return [{ table, by: node['Index Name'] ?? type, ...found, endsEarly }, ...below];
}

/** Columns with many rows of a merchant for each value. */
const coarse = new Set(['merchant_id', 'store_id', ...kinds]);

/** True if the scan reads more rows as the table grows, whatever the request. */
export function readsTooMuch({ condition, filter, endsEarly }: Scan): boolean {
  const columns = [...(condition ?? '').matchAll(/\((?:ROW\()?"?([a-z_]+)"?(?:, [^)]*\))? (?:[<>=]|IS )/g)];
  const isFine = columns.some(([, column = '']) => !coarse.has(column));
  return !isFine && !(condition !== null && endsEarly && filter === null);
}
