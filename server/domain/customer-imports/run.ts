/** Enrolling from a file: in batches, each one database transaction that also notes how far it came. */
import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { dateIn } from '../core/calendar';
import { announce } from '../core/changes';
import type { Merchant, Services } from '../core/context';
import { newId } from '../core/ids';
import type { ProfileInput } from '../customers/schemas';
import { merchantColumns, toMerchant } from '../merchants/merchant-row';
import { clockOf } from '../merchants/merchant-time';
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
export function queueImport({ sql }: Pick<Tx, 'sql'>, { merchantId, importId }: ImportKey) {
  const payload = JSON.stringify({ merchantId, importId });
  return sql`
    select graphile_worker.add_job(${importCustomersTask}, ${payload}::text::json, job_key => ${`import ${importId}`})`;
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
    const { sql } = tx;
    const [[merchant], [job]] = await Promise.all([
      sql`select ${sql.unsafe(merchantColumns)} from merchants where id = ${merchantId}`,
      sql`
        select mapping, done_through, started_at from customer_imports
        where merchant_id = ${merchantId} and id = ${importId} and state = 'running' for update`,
    ]);
    if (!merchant || !job) return false;
    const now = clockOf(services, toMerchant(merchant)).now();
    const rows = await sql`
      select row_number, cells from customer_import_rows
      where merchant_id = ${merchantId} and import_id = ${importId} and row_number > ${job.done_through}
      order by row_number limit ${sql.unsafe(String(batchSize))}`;
    const problems = await enrolRows(tx, toMerchant(merchant), job, rows, now);
    const isMore = rows.length === batchSize;
    await Promise.all([
      ...settleRows(tx, importId, rows, problems),
      progress(tx, importId, rows, problems, isMore, now),
    ]);
    await Promise.all([announce(tx, 'customerImports'), ...(isMore ? [] : [announce(tx, 'customers')])]);
    return isMore;
  });
}

type Problems = Map<number, ImportProblem[]>;

/** Enrols whom it can; answers what is wrong with the other rows, by their number. */
async function enrolRows(tx: Tx, merchant: Merchant, job: Row, rows: readonly Row[], now: Date): Promise<Problems> {
  const mapping = job.mapping as ImportMapping;
  const { dateOrder } = mapping;
  const surroundings = { dateOrder, country: merchant.country, today: dateIn(merchant.timeZone, now) };
  const problems: Problems = new Map();
  const good: NewCustomer[] = [];
  for (const { row_number: rowNumber, cells } of rows) {
    const row = readRow(valuesOf(cells, mapping), surroundings);
    if (row.problems.length > 0) problems.set(rowNumber, row.problems);
    else good.push({ rowNumber, id: newId(), ...row.profile });
  }
  const enrolled = await insertCustomers(tx, good, job.started_at);
  const refused = good.filter(({ id }) => !enrolled.has(id));
  for (const [rowNumber, problem] of await whoIsThere(tx, refused, job.started_at)) problems.set(rowNumber, [problem]);
  return problems;
}

interface NewCustomer extends ProfileInput {
  rowNumber: number;
  id: string;
}

/** The ids of those who are new; two of the same phone number or address are one, and it is the first. */
async function insertCustomers({ merchantId, sql }: Tx, people: NewCustomer[], startedAt: Date): Promise<Set<string>> {
  const inserted = await sql`
    insert into customers (merchant_id, id, given_name, last_name, phone, email, birthday, joined_at, created_at)
    select ${merchantId}, id, "givenName", "lastName", phone, email, birthday, ${startedAt}, ${startedAt}
    from json_to_recordset(${JSON.stringify(people)}::text::json)
      as p (id uuid, "givenName" text, "lastName" text, phone text, email text, birthday date)
    on conflict do nothing returning id`;
  const ids = inserted.map(({ id }) => id);
  await sql`insert into balances (merchant_id, customer_id) select ${merchantId}, unnest(${ids}::uuid[])`;
  return new Set(ids);
}

/** Why people could not be enrolled: a customer since the very instant the import began came with it. */
async function whoIsThere(
  { merchantId, sql }: Tx,
  people: NewCustomer[],
  startedAt: Date,
): Promise<Map<number, ImportProblem>> {
  if (people.length === 0) return new Map();
  const phones = people.flatMap(({ phone }) => phone ?? []);
  const emails = people.flatMap(({ email }) => email?.toLowerCase() ?? []);
  const known = await sql`
    select phone as key, created_at from customers where merchant_id = ${merchantId} and phone = any(${phones})
    union all
    select email_key, created_at from customers where merchant_id = ${merchantId} and email_key = any(${emails})`;
  const since = new Map(known.map(({ key, created_at }) => [key, created_at.getTime()]));
  const isNew = (key: string | undefined) => since.get(key ?? '') === startedAt.getTime();
  return new Map(
    people.map(({ rowNumber, phone, email }) => {
      const isTwice = isNew(phone ?? undefined) || isNew(email?.toLowerCase());
      return [rowNumber, isTwice ? 'twiceInFile' : 'alreadyCustomer'];
    }),
  );
}

/** Rows that were enrolled go; the others say why not. */
function settleRows({ merchantId, sql }: Tx, importId: string, rows: readonly Row[], problems: Problems) {
  const done = rows.map(({ row_number }) => row_number).filter((rowNumber) => !problems.has(rowNumber));
  const notDone = [...problems].map(([rowNumber, found]) => ({ rowNumber, problems: found }));
  return [
    sql`
      delete from customer_import_rows
      where merchant_id = ${merchantId} and import_id = ${importId} and row_number = any(${done}::int[])`,
    sql`
      update customer_import_rows r set problems = p.problems
      from json_to_recordset(${JSON.stringify(notDone)}::text::json) as p ("rowNumber" int, problems text[])
      where r.merchant_id = ${merchantId} and r.import_id = ${importId} and r.row_number = p."rowNumber"`,
  ];
}

function progress(
  { merchantId, sql }: Tx,
  importId: string,
  rows: readonly Row[],
  problems: Problems,
  isMore: boolean,
  now: Date,
) {
  return sql`
    update customer_imports set done_through = coalesce(${rows.at(-1)?.row_number ?? null}, done_through),
      enrolled_count = enrolled_count + ${rows.length - problems.size}, problem_count = problem_count + ${problems.size},
      state = ${isMore ? 'running' : 'finished'}, updated_at = ${now}, finished_at = ${isMore ? null : now}
    where merchant_id = ${merchantId} and id = ${importId}`;
}

/** Hands imports that nobody carries on to the worker again: theirs was killed. */
export async function requeueStalledImports({ db, systemClock }: Services): Promise<void> {
  const before = new Date(systemClock.now().getTime() - stalledAfterMs);
  const stalled = await db.sql`select merchant_id, import_id from stalled_customer_imports(${before})`;
  for (const { merchant_id: merchantId, import_id: importId } of stalled) {
    await withMerchant(db, merchantId, (tx) => queueImport(tx, { merchantId, importId }));
  }
}

/** Rows of old files that are deleted at once. */
const forgottenAtOnce = 10_000;

/** Deletes what is left of files after 30 days: it is personal data. */
export async function forgetOldImports({ db, clock, stopping }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - keptForMs);
  while (!stopping?.aborted) {
    const [row] = await db.sql`select forget_customer_imports(${before}, ${forgottenAtOnce}) as deleted`;
    if (row?.deleted < forgottenAtOnce) return;
  }
}
