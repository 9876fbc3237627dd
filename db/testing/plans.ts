/** The plan of every statement that a database runs, of those inside its functions too, as the server logs them. */
import type postgres from 'postgres';
import { dropConstraints, insertSample } from './sample-rows';

/** A node of a plan, as EXPLAIN's JSON has it. */
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
 * Lets connections that the application makes from now on log their plans; answers what reads those since the last
 * reading. Only for a database of one's own.
 */
export async function watchPlans(owner: postgres.Sql): Promise<() => Promise<Statement[]>> {
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

async function logEnd(owner: postgres.Sql): Promise<number> {
  const [row] = await owner`select size::int from pg_stat_file('server.log')`;
  return row?.size as number;
}

/** Only databases that are watched log plans; what others log in between is passed over. */
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

/** Columns that say of which kind a row is, or how it stands: of each there are a few. */
const kinds = new Set(
  [
    'action actor_kind channel country currency error_code facet holds_stored_value holds_value is_on kind language',
    'locale method notice_kinds occasion open operation part slot state status subject_kind task template_name time_zone',
    'trigger type',
  ].flatMap((line) => line.split(' ')),
);

/** How many values a column has, by its type; below zero, for each row. Of ids, a few rows share one. */
const distinct: Record<string, number> = {
  ...{ uuid: -0.2, text: -0.2, bytea: -1, int2: 300, int8: -0.5, timestamptz: -0.5, date: 1_000 },
};
const distinctOf = ({ name, type }: { name: string; type: string }) =>
  ({ merchant_id: merchants, store_id: storesOfEach })[name] ?? (kinds.has(name) ? kindsOfEach : distinct[type]) ?? 5;

/**
 * Tells the planner of ten million rows in each table, of twenty merchants, and of ten a merchant in those of `few`; and
 * that each row is read from a page of its own, for the tables are as good as empty.
 */
export async function pretendRows(owner: postgres.Sql, few: ReadonlySet<string>): Promise<void> {
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
 * Gives each table and index its first page, as a row leaves it that was taken back: of one without any, the planner
 * believes nothing. For that row every index is whole.
 */
async function leavePages(owner: postgres.Sql, tables: string[]): Promise<void> {
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

async function databaseName(owner: postgres.Sql): Promise<string> {
  const [row] = await owner`select quote_ident(current_database()) as name`;
  return row?.name;
}

/** How a plan finds rows of a table. */
export interface Scan {
  table: string;
  /** The index's name; else the kind of the node. */
  by: string;
  /** The index's own condition; null where all of the index or the table is read. */
  condition: string | null;
  /** What leaves rows out once they were read. */
  filter: string | null;
  /** Whether it goes on only until enough rows were found, for nothing above it has to see all of them first. */
  endsEarly: boolean;
}

/** Nodes that read all that is below them before they answer the first row. */
const takesAll = /^(Sort|Aggregate|Hash|WindowAgg|SetOp|ModifyTable|Bitmap)/;

/** Every look-up of rows in a plan, but for those by their place. */
export function scansOf(node: PlanNode, under: { table?: string; endsEarly: boolean } = { endsEarly: false }): Scan[] {
  const type = node['Node Type'];
  const isBitmap = type === 'Bitmap Heap Scan';
  const table = node['Relation Name'] ?? (type.startsWith('Bitmap') ? under.table : undefined);
  const endsEarly = type === 'Limit' || (under.endsEarly && !takesAll.test(type));
  const below = (node.Plans ?? []).flatMap((child) => scansOf(child, table ? { table, endsEarly } : { endsEarly }));
  const isScan = /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(type) && table !== undefined && !isBitmap;
  if (!isScan) return below;
  const found = { condition: node['Index Cond'] ?? null, filter: node.Filter ?? null };
  return [{ table, by: node['Index Name'] ?? type, ...found, endsEarly }, ...below];
}

/** What a merchant has so many rows by that they say as good as nothing. */
const coarse = new Set(['merchant_id', 'store_id', ...kinds]);

/** Whether it reads more rows the more there are, whatever is asked for. */
export function readsTooMuch({ condition, filter, endsEarly }: Scan): boolean {
  const columns = [...(condition ?? '').matchAll(/\((?:ROW\()?"?([a-z_]+)"?(?:, [^)]*\))? (?:[<>=]|IS )/g)];
  const isFine = columns.some(([, column = '']) => !coarse.has(column));
  return !isFine && !(condition !== null && endsEarly && filter === null);
}
