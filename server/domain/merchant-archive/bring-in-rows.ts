import { pipeline } from 'node:stream/promises';
import { and, asc, getTableName, isNotNull, ne, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { copyIn, type Owner } from '@/db/driver';
import { nameOf } from '@/db/query/expressions';
import type { Queries } from '@/db/query/queries';
import { users } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { columnsOf, fileOf, keysOfStaff, merchantOf, namesOfStaff, referencesOf } from './members';
import type { OpenArchive } from './read';
import { replaceIds } from './replace-ids';

interface Incoming {
  connection: Pick<Owner, 'unsafe'>;
  db: Queries;
  archive: OpenArchive;
  /** The ids here of people who have another id in the archive. */
  idsHere: Map<string, string>;
  /** The ids here of all people of the archive. */
  people: string[];
}

const rowNumber = sql.identifier('archive_row');

/**
 * Copies a table's rows out of the archive, through a temporary table. Somebody may have changed the file, so a row of
 * another merchant is refused, and so is a row that names a person, or a row of any table, that is not in the archive.
 * Errors: `StartupError` that names the first such row, or a file that changed since it was checked.
 */
export async function bringInRows(table: PgTable, incoming: Incoming): Promise<void> {
  const { connection, db, archive, idsHere } = incoming;
  const file = fileOf(table);
  const columns = columnsOf(table);
  const names = sql.join(columns.map(nameOf), sql`, `);
  const waiting = sql.identifier(`archive_${file.replace('.csv', '')}`);
  await db.run(sql`create temporary table ${waiting} on commit drop as select ${names} from ${table} with no data`);
  await db.run(sql`alter table ${waiting} add column ${rowNumber} bigint generated always as identity`);
  await pipeline([
    await archive.open(file),
    ...(idsHere.size > 0 ? [replaceIds(idsHere)] : []),
    await copyIn(connection, sql`${waiting}`, columns),
  ]);
  await checkRows(table, waiting, incoming);
  await checkReferences(table, waiting, incoming);
  await db.run(sql`insert into ${table} (${names}) overriding system value
    select ${names} from ${waiting} order by ${rowNumber}`);
  await db.run(sql`drop table ${waiting}`);
}

async function checkRows(table: PgTable, waiting: ReturnType<typeof sql.identifier>, incoming: Incoming) {
  const { db, archive, people } = incoming;
  const merchant = nameOf(merchantOf(table) as PgColumn);
  const isOther = ne(sql`${merchant}`, archive.manifest.merchant.id);
  const isNoPerson = (column: PgColumn) => {
    const key = sql`${nameOf(column)}`;
    return people.length > 0 ? notInArray(key, people) : isNotNull(key);
  };
  const isStranger = [
    ...keysOfStaff(table).map(isNoPerson),
    // These columns also name keys and customers, so only people who are known here count.
    ...namesOfStaff(table).map((column) =>
      and(isNoPerson(column), sql`${nameOf(column)} in (select ${users.id} from ${users})`),
    ),
  ];
  const [bad] = await db
    .select({ row: sql<string>`${rowNumber}`, isOther: sql<boolean>`${isOther}` })
    .from(sql`${waiting}`)
    .where(or(isOther, ...isStranger))
    .orderBy(asc(sql`${rowNumber}`))
    .limit(1);
  if (!bad) return;
  const fault = bad.isOther ? 'belongs to another merchant' : 'names a person who is not in people.csv';
  throw new StartupError(`Row ${bad.row} of ${fileOf(table)} ${fault}: nothing was imported.`);
}

/** The tables that a table refers to come before it, so that their rows are there. */
async function checkReferences(table: PgTable, waiting: ReturnType<typeof sql.identifier>, { db }: Incoming) {
  for (const { columns, foreignTable, foreignColumns } of referencesOf(table)) {
    const isThere = (rows: PgTable | SQL) => {
      const pairs = columns.map(
        (column, at) => sql`other.${nameOf(foreignColumns[at] as PgColumn)} = w.${nameOf(column)}`,
      );
      return sql`exists (select from ${rows} other where ${and(...pairs)})`;
    };
    const [bad] = await db
      .select({ row: sql<string>`w.${rowNumber}` })
      .from(sql`${waiting} w`)
      .where(
        and(
          ...columns.map((column) => sql`w.${nameOf(column)} is not null`),
          not(isThere(foreignTable)),
          foreignTable === table ? not(isThere(sql`${waiting}`)) : undefined,
        ),
      )
      .orderBy(asc(sql`w.${rowNumber}`))
      .limit(1);
    if (bad)
      throw new StartupError(
        `Row ${bad.row} of ${fileOf(table)} names a row of ${getTableName(foreignTable)} that the archive lacks: nothing was imported.`,
      );
  }
}
