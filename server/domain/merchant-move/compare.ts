/** Compares the merchant's rows in both cells, as of one moment. */

import { getTableName, sql } from 'drizzle-orm';
import { openSnapshot, type Snapshot } from '@/db/driver';
import { only } from '@/db/query/queries';
import { StartupError } from '@/db/startup-error';
import { findViolation } from '../ledger';
import type { Move } from './sides';
import { danglingRows, publishedTables, totalsOf } from './tables';

/** Both cells at the same moment, opened while the merchant's writes are stopped. */
export interface Pair {
  source: Snapshot;
  target: Snapshot;
  end(): Promise<void>;
}

export async function openPair({ source, target }: Move): Promise<Pair> {
  const [before, after] = await Promise.all([openSnapshot(source.owner), openSnapshot(target.owner)]);
  return {
    source: before,
    target: after,
    end: async () => {
      await Promise.all([before.end(), after.end()]);
    },
  };
}

/** During the stop, tables of up to this many rows are compared in full, larger ones only by their number of rows. */
const maxRowsInStop = 20_000;

/**
 * Compares the rows of all tables: their number, and a sum over their texts. With `known`, the numbers of an earlier
 * comparison, only small tables are summed. Returns the numbers by table. Errors: `StartupError` that names tables that
 * differ, and rows that name a person who is missing, or, in a full comparison, any other row that is not the merchant's.
 */
export async function compareCells(move: Move, pair: Pair, known?: Map<string, number>): Promise<Map<string, number>> {
  const totals = async ({ db }: Snapshot, isSource: boolean) => {
    const selects = publishedTables.map((one) => {
      const isSmall = (known?.get(getTableName(one.table)) ?? 0) <= maxRowsInStop;
      return totalsOf(one, move.merchantId, isSource, isSmall);
    });
    return Promise.all(
      selects.map(async (select) => {
        const columns = { name: sql<string>`t.name`, rows: sql<number>`t.rows`, sum: sql<string>`t.sum` };
        return only(await db.select(columns).from(sql`(${select}) t`));
      }),
    );
  };
  const [before, after] = await Promise.all([totals(pair.source, true), totals(pair.target, false)]);
  const differences = before.flatMap(({ name, rows, sum }, at) => {
    const there = after[at];
    if (there?.rows === rows && there.sum === sum) return [];
    return [`${name} (${rows} rows here, ${there?.rows} there)`];
  });
  const dangling = await pair.target.db
    .select({
      name: sql<string>`t.name`,
      named: sql<string>`t.named`,
      rows: sql<number>`t.rows`,
      key: sql<string>`t.key`,
    })
    .from(sql`(${danglingRows(move.merchantId, known === undefined)}) t`)
    .where(sql`t.rows > 0`);
  const problems = [
    ...(differences.length > 0 ? [`the cells differ in ${differences.join(', ')}`] : []),
    ...dangling.map(
      ({ name, named, rows, key }) =>
        `${rows} rows of ${name} there name a row of ${named} that is not there, such as ${key}`,
    ),
  ];
  if (problems.length > 0) throw new StartupError(`Not moved: ${problems.join('; ')}.`);
  return new Map(before.map(({ name, rows }) => [name, rows]));
}

/** Checks the ledger's rules on the rows that have arrived. Errors: `StartupError` with the first violated rule. */
export async function verifyArrived({ merchantId }: Move, { target: { db } }: Pair): Promise<void> {
  const violation = await findViolation(db, merchantId);
  if (violation) throw new StartupError(`Not moved: ${violation.rule}: ${violation.subject}: ${violation.found}.`);
}
