/** Enrolling from a file: in batches, each one database transaction that also notes how far it came. */
import { and, eq, gt, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { anyOf, insertFrom, insertRows, recordset } from '@/db/expressions';
import { forgetCustomerImports, stalledCustomerImports } from '@/db/functions';
import { only } from '@/db/queries';
import { balances, customerImportRows, customerImports, customers, merchants } from '@/db/schema';
import { dateIn } from '../core/calendar';
import { announce } from '../core/changes';
import type { Merchant, Services } from '../core/context';
import { newId } from '../core/ids';
import type { ProfileInput } from '../customers/schemas';
import { clockOf, merchantColumns, toMerchant } from '../merchants/merchant';
import { readRow, valuesOf } from './rows';
import type { ImportMapping, ImportProblem } from './schemas';

/** The job that carries an import on, as the worker knows it. */
export const importCustomersTask = 'import-customers';
const batchSize = 1_000;
/** An import that has not moved for this long has lost its worker. */
const stalledAfterMs = 60_000;
/** What could not be enrolled is kept for so long, for the report. */
const keptForMs = 30 * 24 * 60 * 60_000;

interface ImportKey {
  merchantId: string;
  importId: string;
}

/** Has the worker carry an import on, once the database transaction commits. */
export function queueImport({ db }: Pick<Tx, 'db'>, { merchantId, importId }: ImportKey) {
  const payload = JSON.stringify({ merchantId, importId });
  return db.run(sql`
    select graphile_worker.add_job(${importCustomersTask}, ${payload}::text::json, job_key => ${`import ${importId}`})`);
}

/** Enrols until no row is left. Several may do so at once: they take turns. A worker that is to stop leaves the rest to the next. */
export async function continueImport(services: Services, key: ImportKey): Promise<void> {
  while (await importBatch(services, key)) {
    if (!services.stopping?.aborted) continue;
    await withMerchant(services.db, key.merchantId, (tx) => queueImport(tx, key));
    return;
  }
}

/** Enrols the next rows; answers whether there may be more. */
export function importBatch(services: Services, { merchantId, importId }: ImportKey): Promise<boolean> {
  return withMerchant(services.db, merchantId, async (tx) => {
    const [[settings], [job]] = await Promise.all([
      tx.db.select(merchantColumns).from(merchants).where(eq(merchants.id, merchantId)),
      lockRunning(tx, importId),
    ]);
    if (!settings || !job?.mapping || !job.startedAt) return false;
    const merchant = toMerchant(settings);
    const now = clockOf(services, merchant).now();
    const rows = await rowsAfter(tx, importId, job.doneThrough);
    const { mapping, startedAt } = job;
    const problems = await enrolRows(tx, merchant, { mapping, startedAt }, rows, now);
    const isMore = rows.length === batchSize;
    await Promise.all([
      ...settleRows(tx, importId, rows, problems),
      progress(tx, importId, rows, problems, isMore, now),
    ]);
    await Promise.all([announce(tx, 'customerImports'), ...(isMore ? [] : [announce(tx, 'customers')])]);
    return isMore;
  });
}

function lockRunning({ merchantId, db }: Tx, importId: string) {
  const { id, state, mapping, doneThrough, startedAt } = customerImports;
  return db
    .select({ mapping, doneThrough, startedAt })
    .from(customerImports)
    .where(and(eq(customerImports.merchantId, merchantId), eq(id, importId), eq(state, 'running').inlineParams()))
    .for('update');
}

/** The next rows, behind those that are done. */
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

interface Job {
  mapping: ImportMapping;
  startedAt: Date;
}

/** Enrols whom it can; answers what is wrong with the other rows, by their number. */
async function enrolRows(
  tx: Tx,
  merchant: Merchant,
  { mapping, startedAt }: Job,
  rows: Rows,
  now: Date,
): Promise<Problems> {
  const { dateOrder } = mapping;
  const surroundings = { dateOrder, country: merchant.country, today: dateIn(merchant.timeZone, now) };
  const problems: Problems = new Map();
  const good: NewCustomer[] = [];
  for (const { rowNumber, cells } of rows) {
    const row = readRow(valuesOf(cells, mapping), surroundings);
    if (row.problems.length > 0) problems.set(rowNumber, row.problems);
    else good.push({ rowNumber, id: newId(), ...row.profile });
  }
  const enrolled = await insertCustomers(tx, good, startedAt);
  const refused = good.filter(({ id }) => !enrolled.has(id));
  for (const [rowNumber, problem] of await whoIsThere(tx, refused, startedAt)) problems.set(rowNumber, [problem]);
  return problems;
}

interface NewCustomer extends ProfileInput {
  rowNumber: number;
  id: string;
}

/** The ids of those who are new; two of the same phone number or address are one, and it is the first. */
async function insertCustomers(tx: Tx, people: NewCustomer[], startedAt: Date): Promise<Set<string>> {
  const { merchantId, db } = tx;
  const { id, givenName, lastName, phone, email, birthday } = customers;
  const { $rows, ...person } = recordset('p', { id, givenName, lastName, phone, email, birthday }, people);
  const row = { merchantId, ...person, joinedAt: startedAt, createdAt: startedAt };
  const inserted = db
    .$with('inserted', { id })
    .as(sql`${insertFrom(customers, row, $rows)} on conflict do nothing returning ${id}`);
  const enrolled = await db.with(inserted).select({ customerId: inserted.id }).from(inserted);
  await insertBalances(tx, enrolled);
  return new Set(enrolled.map(({ customerId }) => customerId));
}

const insertBalances = insertRows(balances, ['customerId']);

/** Why people could not be enrolled: a customer since the very instant the import began came with it. */
async function whoIsThere(
  { merchantId, db }: Tx,
  people: NewCustomer[],
  startedAt: Date,
): Promise<Map<number, ImportProblem>> {
  if (people.length === 0) return new Map();
  const phones = people.flatMap(({ phone }) => phone ?? []);
  const emails = people.flatMap(({ email }) => email?.toLowerCase() ?? []);
  const { phone: phoneKey, emailKey, createdAt } = customers;
  const knownBy = (key: typeof phoneKey | typeof emailKey, keys: string[]) =>
    db
      .select({ key: sql<string>`${key}`, createdAt })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), anyOf(key, keys)));
  const known = await knownBy(phoneKey, phones).unionAll(knownBy(emailKey, emails));
  const since = new Map(known.map((one) => [one.key, one.createdAt.getTime()]));
  const isNew = (key: string | undefined) => since.get(key ?? '') === startedAt.getTime();
  return new Map(
    people.map(({ rowNumber, phone, email }) => {
      const isTwice = isNew(phone ?? undefined) || isNew(email?.toLowerCase());
      return [rowNumber, isTwice ? 'twiceInFile' : 'alreadyCustomer'];
    }),
  );
}

/** Rows that were enrolled go; the others say why not. */
function settleRows({ merchantId, db }: Tx, importId: string, rows: Rows, problems: Problems) {
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
  rows: Rows,
  problems: Problems,
  isMore: boolean,
  now: Date,
) {
  const { enrolledCount, problemCount } = customerImports;
  return db
    .update(customerImports)
    .set({
      doneThrough: rows.at(-1)?.rowNumber,
      enrolledCount: sql`${enrolledCount} + ${rows.length - problems.size}`,
      problemCount: sql`${problemCount} + ${problems.size}`,
      state: isMore ? 'running' : 'finished',
      updatedAt: now,
      finishedAt: isMore ? null : now,
    })
    .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId)));
}

/** Hands imports that nobody carries on to the worker again: theirs was killed. */
export async function requeueStalledImports({ db, systemClock }: Services): Promise<void> {
  const before = new Date(systemClock.now().getTime() - stalledAfterMs);
  const { $rows, ...stalled } = stalledCustomerImports({ before });
  for (const key of await db.pool.select(stalled).from($rows)) {
    await withMerchant(db, key.merchantId, (tx) => queueImport(tx, key));
  }
}

/** Rows of old files that are deleted at once. */
const forgottenAtOnce = 10_000;

/** Deletes what is left of files after 30 days: it is personal data. */
export async function forgetOldImports({ db, clock, stopping }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - keptForMs);
  while (!stopping?.aborted) {
    const { $rows, ...rows } = forgetCustomerImports({ before, most: forgottenAtOnce });
    const { forgotten } = only(await db.pool.select(rows).from($rows));
    if (forgotten < forgottenAtOnce) return;
  }
}
