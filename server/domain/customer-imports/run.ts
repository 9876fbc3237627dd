/** Imports customers in batches. Each batch is one database transaction that also records progress. */

import { and, eq, gt, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { profileOf } from '@/db/kinds/lists';
import { anyOf, insertFrom, insertRows, recordset } from '@/db/query/expressions';
import { forgetCustomerImports, stalledCustomerImports } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { balances, customerImportRows, customerImports, customers, type ImportOpenings } from '@/db/schema';
import { type Profile, sendCustomerEvents } from '../identity';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { newId } from '../kernel/ids';
import { jobPayload } from '../kernel/job-payload';
import { noValue, sendBalanceEvents } from '../ledger';
import { readMerchantNow } from '../merchants';
import { giveImported } from '../vouchers';
import { addValues, addVouchers, type CustomerOpening, sendOpenings } from './openings';
import { findKnown, type PlannedFile, planRows } from './plan-rows';
import { contextOf } from './row-context';
import { isSkipped, readRow, valuesOf } from './rows';
import type { ImportMapping, ImportProblem } from './schemas';
import { noOpenings, undoBatch } from './undo';

/** The worker's job that continues an import. */
export const importCustomersTask = 'import-customers';
const batchSize = 1_000;
/** An import without progress for this long has lost its worker. */
const stalledAfterMs = 60_000;
/** How long skipped rows are kept, for the report. */
const retentionMs = 30 * 24 * 60 * 60_000;

interface ImportKey {
  merchantId: string;
  importId: string;
}

/** Queues an import for the worker, once the database transaction commits. */
export function queueImport({ db }: Pick<Tx, 'db'>, { merchantId, importId }: ImportKey) {
  const payload = jobPayload({ merchantId, importId });
  return db.run(sql`
    select graphile_worker.add_job(${importCustomersTask}, ${payload}::text::json, job_key => ${`import ${importId}`})`);
}

/**
 * Imports until no row is left, or undoes until no opening balance is left, or until the merchant is closed. Several
 * workers may take turns. A worker that has to stop leaves the rest to the next one.
 */
export async function continueImport(services: Services, key: ImportKey): Promise<void> {
  while ((await importBatch(services, key)) || (await undoBatch(services, key))) {
    if (!services.stopping?.aborted) continue;
    await withMerchant(services.db, key.merchantId, (tx) => queueImport(tx, key));
    return;
  }
}

/** Imports the next rows, and returns whether there may be more. */
export function importBatch(services: Services, { merchantId, importId }: ImportKey): Promise<boolean> {
  return withMerchant(services.db, merchantId, async (tx) => {
    // The merchant is read while holding the lock, because it may have been closed meanwhile.
    const [[job], { merchant, now, isClosed }] = await Promise.all([
      lockRunning(tx, importId),
      readMerchantNow(tx, services),
    ]);
    if (isClosed || !job?.mapping || !job.startedAt) return false;
    const rows = await rowsAfter(tx, importId, job.doneThrough);
    const { mapping, startedAt, fileName } = job;
    const file = { importId, fileName, mapping, startedAt };
    const { problems, openings, added } = await enrolRows(tx, merchant, file, rows, now);
    const done = job.openings ?? noOpenings;
    const given = [...openings, ...added];
    await giveImported(
      tx,
      { importId, now },
      given.flatMap(({ customerId, opening: { vouchers } }) => (vouchers ? { customerId, ...vouchers } : [])),
    );
    const sumOfNew = sendOpenings(tx, { importId, ...job }, openings, now);
    const sumOfAdded = sendOpenings(tx, { importId, ...job }, added, now);
    sendBalanceEvents(tx, merchant, {
      customerIds: given.map(({ customerId }) => customerId),
      cause: 'import',
      now,
    });
    const sums = {
      ...done,
      ...addVouchers(done.vouchers, given),
      imported: addValues(done.imported, addValues(sumOfNew, sumOfAdded)),
      addedToKnown: addValues(done.addedToKnown ?? noValue, sumOfAdded),
    };
    const isMore = rows.length === batchSize;
    await Promise.all([
      ...saveResults(tx, importId, rows, problems),
      progress(tx, importId, { rows, problems, addedCount: added.length }, sums, isMore, now),
    ]);
    await Promise.all([announceChange(tx, 'customerImports'), ...(isMore ? [] : [announceChange(tx, 'customers')])]);
    return isMore;
  });
}

function lockRunning({ merchantId, db }: Tx, importId: string) {
  const { id, state, mapping, doneThrough, startedAt, userId, fileName, openings } = customerImports;
  return db
    .select({ mapping, doneThrough, startedAt, userId, fileName, openings })
    .from(customerImports)
    .where(and(eq(customerImports.merchantId, merchantId), eq(id, importId), eq(state, 'running').inlineParams()))
    .for('update');
}

/** Selects the next rows after those done. */
function rowsAfter({ merchantId, db }: Tx, importId: string, doneThrough: number) {
  const { rowNumber, cells, ...file } = customerImportRows;
  return db
    .select({ rowNumber, cells })
    .from(customerImportRows)
    .where(and(eq(file.merchantId, merchantId), eq(file.importId, importId), gt(rowNumber, doneThrough)))
    .orderBy(rowNumber)
    .limit(batchSize);
}

type Rows = Awaited<ReturnType<typeof rowsAfter>>;
type Problems = Map<number, ImportProblem[]>;

interface Enrolled {
  problems: Problems;
  /** Opening balances of new customers, and of those who were known. */
  openings: CustomerOpening[];
  added: CustomerOpening[];
}

/** Enrols the people of the valid rows who are new. Returns problems by row number, and the opening balances to add. */
async function enrolRows(
  tx: Tx,
  merchant: Merchant,
  file: Pick<PlannedFile, 'importId' | 'fileName'> & { mapping: ImportMapping; startedAt: Date },
  rows: Rows,
  now: Date,
): Promise<Enrolled> {
  const { mapping, startedAt } = file;
  const { addsToKnown = false } = mapping;
  const rowContext = await contextOf(tx, merchant, mapping, now);
  const read = rows.map(({ rowNumber, cells }) => ({
    rowNumber,
    id: newId(),
    ...readRow(valuesOf(cells, mapping), rowContext),
  }));
  const planned = await planRows(tx, { ...file, merchant, addsToKnown, isLocking: true, now }, read);
  const problems: Problems = new Map();
  for (const row of planned) if (row.problems.length > 0) problems.set(row.rowNumber, row.problems);
  const good = planned.filter((row) => !isSkipped(row));
  const newcomers = good.flatMap(({ rowNumber, id, profile, addTo }) =>
    addTo === null ? { rowNumber, id, ...profile } : [],
  );
  const enrolled = await insertCustomers(tx, newcomers, startedAt);
  await sendCustomerEvents(tx, merchant, { type: 'customer.enrolled', customerIds: [...enrolled], now });
  const refused = newcomers.filter(({ id }) => !enrolled.has(id));
  for (const [rowNumber, problem] of await explainConflicts(tx, refused, startedAt)) problems.set(rowNumber, [problem]);
  const openingsOf = (idOf: (row: (typeof good)[number]) => string | null) =>
    good.flatMap((row) => {
      const customerId = idOf(row);
      return row.opening && customerId !== null ? { customerId, opening: row.opening } : [];
    });
  return {
    problems,
    openings: openingsOf(({ id }) => (enrolled.has(id) ? id : null)),
    added: openingsOf(({ addTo }) => addTo),
  };
}

interface NewCustomer extends Profile {
  rowNumber: number;
  id: string;
}

/**
 * Returns the ids of new customers. If two have the same phone number or e-mail address, only the first is inserted.
 */
async function insertCustomers(tx: Tx, people: NewCustomer[], startedAt: Date): Promise<Set<string>> {
  const { merchantId, db } = tx;
  const { id } = customers;
  const { $rows, ...person } = recordset('p', { id, ...profileOf(customers) }, people);
  const row = { merchantId, ...person, joinedAt: startedAt, createdAt: startedAt };
  const inserted = db
    .$with('inserted', { id })
    .as(sql`${insertFrom(customers, row, $rows)} on conflict do nothing returning ${id}`);
  const enrolled = await db.with(inserted).select({ customerId: inserted.id }).from(inserted);
  await insertBalances(tx, enrolled);
  return new Set(enrolled.map(({ customerId }) => customerId));
}

const insertBalances = insertRows(balances, ['customerId']);

/**
 * Explains why people could not be enrolled. A customer created exactly at the import's start time is from the same
 * file.
 */
async function explainConflicts(tx: Tx, people: NewCustomer[], startedAt: Date): Promise<Map<number, ImportProblem>> {
  if (people.length === 0) return new Map();
  const since = await findKnown(tx, people);
  const isNew = (key: string | undefined) => since.get(key ?? '')?.createdAt === startedAt.getTime();
  return new Map(
    people.map(({ rowNumber, phone, email }) => {
      const isDuplicate = isNew(phone ?? undefined) || isNew(email?.toLowerCase());
      return [rowNumber, isDuplicate ? 'twiceInFile' : 'alreadyCustomer'];
    }),
  );
}

/** Deletes the rows that came in without a warning, and records the problems of the others. */
function saveResults({ merchantId, db }: Tx, importId: string, rows: Rows, problems: Problems) {
  const table = customerImportRows;
  const isOfFile = and(eq(table.merchantId, merchantId), eq(table.importId, importId));
  const done = rows.map(({ rowNumber }) => rowNumber).filter((rowNumber) => !problems.has(rowNumber));
  const notDone = [...problems].map(([rowNumber, found]) => ({ rowNumber, problems: found }));
  const problem = recordset('p', { rowNumber: table.rowNumber, problems: table.problems }, notDone);
  return [
    db.delete(table).where(and(isOfFile, anyOf(table.rowNumber, done))),
    db
      .update(table)
      .set({ problems: problem.problems })
      .from(problem.$rows)
      .where(and(isOfFile, eq(table.rowNumber, problem.rowNumber))),
  ];
}

function progress(
  { merchantId, db }: Tx,
  importId: string,
  { rows, problems, addedCount: added }: { rows: Rows; problems: Problems; addedCount: number },
  openings: ImportOpenings,
  isMore: boolean,
  now: Date,
) {
  const { enrolledCount, addedCount, problemCount, warningCount } = customerImports;
  const skipped = [...problems.values()].filter((found) => isSkipped({ problems: found })).length;
  return db
    .update(customerImports)
    .set({
      doneThrough: rows.at(-1)?.rowNumber,
      enrolledCount: sql`${enrolledCount} + ${rows.length - skipped - added}`,
      addedCount: sql`${addedCount} + ${added}`,
      problemCount: sql`${problemCount} + ${skipped}`,
      warningCount: sql`${warningCount} + ${problems.size - skipped}`,
      openings,
      state: isMore ? 'running' : 'finished',
      updatedAt: now,
      finishedAt: isMore ? null : now,
    })
    .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId)));
}

/** Requeues imports and undos whose worker was killed. */
export async function requeueStalledImports({ db, systemClock }: Services): Promise<void> {
  const before = new Date(systemClock.now().getTime() - stalledAfterMs);
  const { $rows, ...stalled } = stalledCustomerImports({ before });
  for (const key of await db.pool.select(stalled).from($rows)) {
    await withMerchant(db, key.merchantId, (tx) => queueImport(tx, key));
  }
}

/** Rows per delete statement. */
const deleteBatchSize = 10_000;

/** Deletes the remains of files after 30 days, because they are personal data. */
export async function forgetOldImports({ db, clock, stopping }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs);
  while (!stopping?.aborted) {
    const { $rows, ...rows } = forgetCustomerImports({ before, most: deleteBatchSize });
    const { forgotten } = only(await db.pool.select(rows).from($rows));
    if (forgotten < deleteBatchSize) return;
  }
}
