/**
 * What a merchant's archive contains: the rows of every table with a merchant, according to the schema. A new table is
 * included without further work, or a test fails.
 */
import { eq, getTableColumns, getTableName, inArray, is, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { nameOf } from '@/db/query/expressions';
import * as schema from '@/db/schema';

/** Tables of merchants that no archive contains, and why. */
export const leftOut = new Map<PgTable, string>([
  [schema.customerTerms, 'the database derives them from the customers'],
  [schema.voucherTallies, 'the database derives them from the vouchers'],
  [schema.dinerCodes, 'a secret that is valid for minutes'],
  [schema.dinerSessions, 'a secret: diners sign in again'],
  [schema.invitations, 'a secret, and its link leads to where it was sent from: staff are invited again'],
  [schema.invitationStores, 'as invitations'],
  [schema.events, 'their order is that of the database: integrations begin anew where the merchant is imported'],
  [schema.webhookEndpoints, 'a secret, and sending goes on where the merchant was: owners set them up anew'],
  [schema.webhookDeliveries, 'as events'],
  [
    schema.merchantMoves,
    'it says where the merchant is at home, which is another database for whoever imports the archive',
  ],
  [schema.movedReferences, 'as merchantMoves'],
]);

/** Tables whose rows an archive without secrets leaves out, because they need the deployment's `DATA_SECRET`. */
const ofSecrets: PgTable[] = [schema.customerPins];
/** Columns that an archive without secrets fills with random bytes, to which no key or code exists. */
const hashes: PgColumn[] = [schema.apiKeys.hash, schema.qrCodes.tokenHash, schema.diningTables.tokenHash];
/** Columns that no archive contains: codes and texts on their way, which are sealed. */
const neverIn: PgColumn[] = [schema.messages.secret];
/** Columns that name a member of staff without a foreign key. */
const ofStaff: PgColumn[] = [schema.auditLog.actorId, schema.jobRuns.requestedBy, schema.voucherIssues.userId];

const isTable = (one: unknown): one is PgTable => is(one, PgTable);
/** The column that says whose a row is. */
export const merchantOf = (table: PgTable): PgColumn | undefined =>
  table === schema.merchants ? schema.merchants.id : getTableColumns(table).merchantId;

/** The tables of an archive, each after those that it refers to. */
const tables: unknown[] = Object.values(schema);
export const archivedTables: PgTable[] = inOrder(
  tables.filter(isTable).filter((table) => merchantOf(table) && !leftOut.has(table)),
);

export const fileOf = (table: PgTable): string => `${getTableName(table)}.csv`;

/** The columns of a table in an archive, without those that PostgreSQL generates. */
export const columnsOf = (table: PgTable): PgColumn[] =>
  Object.values(getTableColumns(table)).filter((column) => !column.generated && !neverIn.includes(column));

/** Selects the merchant's rows for the archive. */
export function rowsOf(table: PgTable, merchantId: string, hasSecrets: boolean): SQL {
  const values = columnsOf(table).map((column) =>
    hashes.includes(column) && !hasSecrets
      ? sql`sha256(uuid_send(gen_random_uuid())) as ${nameOf(column)}`
      : sql`${column}`,
  );
  const isThere = hasSecrets || !ofSecrets.includes(table);
  return sql`select ${list(values)} from ${table} where ${isOf(table, merchantId)} and ${sql.raw(String(isThere))}`;
}

/** The file of the people whom the archive's rows name. */
export const peopleFile = 'people.csv';
export const peopleColumns = [schema.users.id, schema.users.email, schema.users.name, schema.users.language];

/** Selects everyone who works or has worked for the merchant, without their passwords and second factors. */
export function peopleOf(merchantId: string): SQL {
  const { id } = schema.users;
  return sql`select ${list(peopleColumns.map((column) => sql`${column}`))} from ${schema.users}
    where ${inArray(id, idsOfPeople(merchantId))}`;
}

/** Selects the ids of all people whom the merchant's rows name. */
export function idsOfPeople(merchantId: string): SQL {
  const named = archivedTables.flatMap((table) => {
    return [...keysOfStaff(table), ...namesOfStaff(table)].map(
      (column) => sql`select ${column} from ${table} where ${isOf(table, merchantId)} and ${column} is not null`,
    );
  });
  return sql`(${sql.join(named, sql` union `)})`;
}

/** The columns that may name a member of staff without a foreign key. */
export const namesOfStaff = (table: PgTable): PgColumn[] => ofStaff.filter((column) => column.table === table);

/** The columns that refer to a member of staff by a foreign key. */
export const keysOfStaff = (table: PgTable): PgColumn[] =>
  getTableConfig(table)
    .foreignKeys.map((key) => key.reference())
    .filter(({ foreignTable }) => foreignTable === schema.users)
    .flatMap(({ columns }) => columns);

/** The foreign keys of a table that lead to others of the merchant's rows. */
export const referencesOf = (table: PgTable) =>
  getTableConfig(table)
    .foreignKeys.map((key) => key.reference())
    .filter(({ foreignTable }) => foreignTable !== schema.users);

function isOf(table: PgTable, merchantId: string): SQL {
  const column = merchantOf(table);
  if (!column) throw new Error(`${getTableName(table)} has no merchant`);
  return eq(column, merchantId);
}

const list = (parts: SQL[]): SQL => sql.join(parts, sql`, `);

function inOrder(tables: PgTable[]): PgTable[] {
  const ordered: PgTable[] = [];
  const waiting = new Set(tables);
  const refersTo = (table: PgTable) =>
    getTableConfig(table).foreignKeys.map((key) => key.reference().foreignTable as PgTable);
  while (waiting.size > 0) {
    const next = [...waiting].find((table) => refersTo(table).every((other) => other === table || !waiting.has(other)));
    if (!next) throw new Error('tables refer to each other in a circle');
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}
