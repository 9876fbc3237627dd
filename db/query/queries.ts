/**
 * Our own Drizzle driver for postgres.js. Drizzle's changes how the whole pool reads dates, prepares a query for one
 * connection only, and quotes parameters in errors, which are logged.
 */
import {
  Column,
  getTableName,
  is,
  Param,
  Placeholder,
  QueryPromise,
  SQL,
  type Query as Statement,
  sql,
} from 'drizzle-orm';
import {
  PgDatabase,
  PgDialect,
  PgPreparedQuery,
  type PgQueryResultHKT,
  type PgSelectConfig,
  PgSession,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core';
import { decoderOf, inlineLimit, isNamedBelow } from './drizzle-internals';

/** The result of a statement that returns no rows. */
export interface Written {
  /** The number of rows written. */
  count: number;
}

export type Answer = Iterable<unknown[]> & Written;
/** Sends a statement as soon as it is executed or its result is awaited. */
export type Send = (statement: Joinable) => PromiseLike<Answer>;

/**
 * A statement. With `merchantId`, its only parameter is rows that each name that merchant (`prepareForRows`), so it can
 * be joined with the same statement of other merchants.
 */
export interface Joinable extends Statement {
  merchantId?: string | undefined;
  returnsRows?: boolean;
}

/** The queries of a connection or a pool, typed from `db/schema`. */
export class Queries extends PgDatabase<WrittenResult> {
  constructor(readonly send: Send) {
    super(dialect, new Session(send), undefined);
  }

  /** Runs a statement that Drizzle cannot express and that returns no rows. */
  run(statement: SQL): Query<Written> {
    return new Query(this.send, dialect.sqlToQuery(statement), countOf);
  }
}

/** A query that is sent when awaited: those in one `Promise.all` share a round trip and run in order. */
export class Query<Result> extends QueryPromise<Result> {
  constructor(
    private readonly send: Send,
    private readonly statement: Joinable,
    private readonly read: (answer: Answer) => Result,
  ) {
    super();
  }

  async execute(): Promise<Result> {
    return this.read(await this.send(this.statement));
  }

  toSQL(): Joinable {
    return this.statement;
  }
}

/** Returns the one row of a query that always has one. */
export function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error('a row is missing that is always there');
  return row;
}

/** The placeholders of a prepared query, for the values of each run. */
export type Given<Values> = { [Name in keyof Values & string]: Placeholder<Name, Values[Name]> };

interface Preparable<Result> {
  prepare(name: string): PgPreparedQuery<PreparedQueryConfig & { execute: Result }>;
}

/**
 * Prepares a query: its text is built at the first run and then used on all connections. For what a POS request sends.
 * `build` may return an `SQL` that returns no rows.
 */
export function prepare<Values extends object, Result>(
  build: (db: Queries, given: Given<Values>) => Preparable<Result>,
): (db: Queries, values: Values) => Query<Result>;
export function prepare<Values extends object>(
  build: (db: Queries, given: Given<Values>) => SQL,
): (db: Queries, values: Values) => Query<Written>;
export function prepare<Values extends object>(
  build: (db: Queries, given: Given<Values>) => Preparable<unknown> | SQL,
): (db: Queries, values: Values) => Query<unknown> {
  return prepareAs(build);
}

export type Owned<Row> = Row & { merchantId: string };
/** The merchant of a database transaction. */
interface Owner {
  db: Queries;
  merchantId: string;
}

/**
 * Like `prepare`, for rows that are each read or written as their own merchant (`setTenantOfEach`). In a shared
 * transaction, the same statement of several merchants goes out as one. A result has the merchant and `isOwn` as its
 * last two columns.
 */
export function prepareForRows<Row extends object, Result>(
  build: (db: Queries, given: Given<{ rows: Owned<Row>[] }>) => Preparable<Result>,
): (tx: Owner, rows: Row[]) => Query<Result>;
export function prepareForRows<Row extends object>(
  build: (db: Queries, given: Given<{ rows: Owned<Row>[] }>) => SQL,
): (tx: Owner, rows: Row[]) => Query<Written>;
export function prepareForRows<Row extends object>(
  build: (db: Queries, given: Given<{ rows: Owned<Row>[] }>) => Preparable<unknown> | SQL,
): (tx: Owner, rows: Row[]) => Query<unknown> {
  const run = prepareAs(build);
  return ({ db, merchantId }, rows) => run(db, { rows: rows.map((row) => ({ ...row, merchantId })) }, merchantId);
}

function prepareAs<Values extends object>(
  build: (db: Queries, given: Given<Values>) => Preparable<unknown> | SQL,
): (db: Queries, values: Values, merchantId?: string) => Query<unknown> {
  let prepared: Prepared | undefined;
  return ({ send }, values, merchantId) => {
    if (!prepared) {
      prepared = prepareOnce(build(unconnected, given as Given<Values>));
      if (merchantId !== undefined) prepared.checkEndsWithOwner();
    }
    return prepared.queryOn(send, values as Record<string, unknown>, merchantId);
  };
}

/** Makes one for each kind: for prepared queries that differ in their text. */
export const ofEach = <Kind extends string, Made>(kinds: readonly Kind[], make: (kind: Kind) => Made) =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, Made>;

function prepareOnce(query: Preparable<unknown> | SQL): Prepared {
  if (is(query, SQL)) return new Prepared(unconnected.send, dialect.sqlToQuery(query), undefined);
  return query.prepare('') as Prepared;
}

const given = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) });

class Prepared extends PgPreparedQuery<PreparedQueryConfig> {
  /** Set by Drizzle: for each table, whether each result row has a row of that table. */
  declare joinsNotNullableMap?: Record<string, boolean>;
  private readonly fillers: Filler[];
  private reader: ((answer: Answer) => unknown) | undefined;

  constructor(
    private readonly send: Send,
    query: Statement,
    private readonly fields: SelectedFieldsOrdered | undefined,
  ) {
    super(query, undefined, undefined);
    this.fillers = query.params.map(fillerOf);
  }

  execute(values: Record<string, unknown> = {}): Promise<unknown> {
    return this.queryOn(this.send, values).execute();
  }

  /** A shared transaction finds each merchant's rows by these columns. */
  checkEndsWithOwner(): void {
    const names = this.fields?.slice(-2).map(({ path }) => path.join('.'));
    if (names && names.join() !== 'merchantId,isOwn') throw new Error('merchantId and isOwn are not the last columns');
  }

  queryOn(send: Send, values: Record<string, unknown>, merchantId?: string): Query<unknown> {
    this.reader ??= this.fields ? readerOf(this.fields, this.joinsNotNullableMap ?? {}) : countOf;
    const params = this.fillers.map((fill) => fill(values));
    return new Query(
      send,
      { sql: this.query.sql, params, merchantId, returnsRows: this.fields !== undefined },
      this.reader,
    );
  }
}

type Filler = (values: Record<string, unknown>) => unknown;

/** Returns how a parameter gets its value: fixed when the query was built, or passed to each run. */
function fillerOf(parameter: unknown): Filler {
  if (is(parameter, Placeholder)) return ({ [parameter.name]: value }) => value;
  if (!is(parameter, Param) || !is(parameter.value, Placeholder)) return () => parameter;
  const { encoder, value: placeholder } = parameter;
  return ({ [placeholder.name]: value }) => (value === null ? null : encoder.mapToDriverValue(value));
}

const countOf = ({ count }: Answer): Written => ({ count });

/**
 * Returns a function that turns result rows into the selected objects. The columns of a table are null as a group if an
 * outer join found no row.
 */
function readerOf(fields: SelectedFieldsOrdered, joinsNotNullable: Record<string, boolean>) {
  const columns = fields.map(({ path, field }) => ({ path, name: path.at(-1) as string, decoder: decoderOf(field) }));
  const isFlat = columns.every(({ path }) => path.length === 1);
  const optional = isFlat ? [] : optionalGroups(fields, joinsNotNullable);
  const read = (values: unknown[]) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at++) {
      const { path, name, decoder } = columns[at] as (typeof columns)[number];
      const value = values[at];
      const group = isFlat ? row : groupAt(row, path);
      group[name] = value === null ? null : decoder.mapFromDriverValue(value);
    }
    for (const { group, places } of optional) if (places.every((at) => values[at] === null)) row[group] = null;
    return row;
  };
  return (answer: Answer) => Array.from(answer, read);
}

function groupAt(row: Record<string, unknown>, path: string[]): Record<string, unknown> {
  let group = row;
  for (const name of path.slice(0, -1)) {
    group[name] ??= {};
    group = group[name] as Record<string, unknown>;
  }
  return group;
}

/** The groups of columns that are null if an outer join finds no row, with the positions of the columns. */
function optionalGroups(fields: SelectedFieldsOrdered, joinsNotNullable: Record<string, boolean>) {
  const groups = new Map<string, { tables: Set<string>; places: number[] }>();
  for (const [at, { path, field }] of fields.entries()) {
    const [group = ''] = path;
    if (path.length !== 2 || !is(field, Column)) continue;
    const { tables, places } = groups.get(group) ?? { tables: new Set(), places: [] };
    groups.set(group, { tables: tables.add(getTableName(field.table)), places: [...places, at] });
  }
  const isOptional = (tables: Set<string>) =>
    tables.size === 1 && [...tables].every((name) => joinsNotNullable[name] === false);
  return [...groups].flatMap(([group, { tables, places }]) => (isOptional(tables) ? [{ group, places }] : []));
}

interface WrittenResult extends PgQueryResultHKT {
  type: Written;
}

class Session extends PgSession<WrittenResult> {
  constructor(private readonly send: Send) {
    super(dialect);
  }

  override prepareQuery<T extends PreparedQueryConfig>(query: Statement, fields: SelectedFieldsOrdered | undefined) {
    return new Prepared(this.send, query, fields) as PgPreparedQuery<T>;
  }

  override transaction(): Promise<never> {
    throw new Error('a database transaction is begun by withMerchant');
  }
}

class Dialect extends PgDialect {
  /**
   * Limits are literals, because a generic plan takes an unknown limit for a tenth of all rows. `offset(0)` is a
   * literal, too: it keeps the planner from merging a subquery. Columns in expressions stay qualified: Drizzle drops
   * the table's name if a query reads one table only, and within a subquery the bare name would mean another table.
   */
  override buildSelectQuery({ fields, ...config }: PgSelectConfig): SQL {
    const written = { limit: inlineLimit(config.limit), offset: inlineLimit(config.offset) };
    return super.buildSelectQuery({ ...config, ...written, fields: qualified(fields) });
  }

  override buildSetOperationQuery(config: Parameters<PgDialect['buildSetOperationQuery']>[0]): SQL {
    const { setOperator } = config;
    return super.buildSetOperationQuery({
      ...config,
      setOperator: { ...setOperator, limit: inlineLimit(setOperator.limit) },
    });
  }
}

function qualified(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, qualifiedField(field)]));
}

function qualifiedField(field: unknown): unknown {
  if (is(field, SQL)) return sql`${field}`;
  // A field aliased by a subquery is referred to by its alias.
  if (is(field, SQL.Aliased)) return isNamedBelow(field) ? field : new SQL.Aliased(sql`${field.sql}`, field.fieldAlias);
  const isGroup = typeof field === 'object' && field !== null && Object.getPrototypeOf(field) === Object.prototype;
  return isGroup ? qualified(field as Record<string, unknown>) : field;
}

const dialect = new Dialect();
/** Only builds prepared queries. It can't send any. */
const unconnected = new Queries(() => {
  throw new Error('a prepared query is run with the queries of a connection');
});
