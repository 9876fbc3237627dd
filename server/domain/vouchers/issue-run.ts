/** Issues to many customers in batches. Each batch is one database transaction that also records progress. */

import { and, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { stalledVoucherIssues } from '@/db/query/functions';
import { customers, type issueAudience, voucherCampaigns, voucherIssues } from '@/db/schema';
import { recordRun } from '../automations';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { jobPayload } from '../kernel/job-payload';
import type { Voucher } from '../kernel/voucher';
import { readMerchantNow } from '../merchants';
import { readAnniversaries, readBirthdays } from './celebrants';
import { issueVouchers, type NotIssued } from './issue';
import { type CustomerBatch, readSegment, toBatch, toSegment } from './segment';

/** The worker's job that continues an issue. */
export const issueVouchersTask = 'issue-vouchers';
/** Customers per batch. */
export const batchSize = 1_000;
/** An issue without progress for this long has lost its worker. */
const stalledAfterMs = 60_000;

/** Who an issue is for. */
export type IssueAudience = (typeof issueAudience.enumValues)[number];

interface IssueKey {
  merchantId: string;
  issueId: string;
}

/** Queues an issue for the worker, once the database transaction commits. */
export function queueIssue({ db }: Pick<Tx, 'db'>, { merchantId, issueId }: IssueKey) {
  const payload = jobPayload({ merchantId, issueId });
  return db.run(
    sql`select graphile_worker.add_job(${issueVouchersTask}, ${payload}::text::json, job_key => ${`issue ${issueId}`})`,
  );
}

/**
 * Issues until no customer is left, the campaign is paused, or the merchant is closed. Several workers may take turns.
 * A worker that has to stop leaves the rest to the next one.
 */
export function continueIssue(services: Services, { merchantId, issueId }: IssueKey): Promise<void> {
  return recordRun(services, { merchantId, task: 'issue-vouchers' }, async (note) => {
    let isMore = true;
    while (isMore) {
      isMore = await withMerchant(services.db, merchantId, async (tx) => {
        const issue = await lockIssue(tx, issueId);
        if (!issue || issue.isPaused) return false;
        const { merchant, now, isClosed } = await readMerchantNow(tx, services);
        if (isClosed) return false;
        const { isFinished, issued } = await issueBatch(tx, merchant, issue, now);
        await note(tx, issued);
        if (isFinished) await Promise.all([announceChange(tx, 'campaigns'), announceChange(tx, 'vouchers')]);
        return !isFinished;
      });
      if (isMore && services.stopping?.aborted) {
        await withMerchant(services.db, merchantId, (tx) => queueIssue(tx, { merchantId, issueId }));
        return;
      }
    }
  });
}

/** Requeues issues whose worker was killed. */
export async function requeueStalledIssues({ db, systemClock }: Services): Promise<void> {
  const before = new Date(systemClock.now().getTime() - stalledAfterMs);
  const { $rows, merchantId, issueId } = stalledVoucherIssues({ before });
  const stalled = await db.pool.select({ merchantId, issueId }).from($rows);
  for (const key of stalled) await withMerchant(db, key.merchantId, (tx) => queueIssue(tx, key));
}

const issueColumns = {
  ...getTableColumns(voucherIssues),
  isPaused: sql<boolean>`${isNotNull(voucherCampaigns.pausedAt)}`.as('is_paused'),
};

/**
 * Locks an unfinished issue and its campaign until the database transaction ends, so that the campaign can't be paused
 * meanwhile.
 */
export async function lockIssue({ merchantId, db }: Tx, issueId: string) {
  const unfinished = db
    .select(issueColumns)
    .from(voucherIssues)
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, voucherIssues.merchantId), eq(voucherCampaigns.id, voucherIssues.campaignId)),
    )
    .where(
      and(eq(voucherIssues.merchantId, merchantId), eq(voucherIssues.id, issueId), isNull(voucherIssues.finishedAt)),
    )
    .for('update', { of: voucherIssues });
  const locked = db
    .$with('locked', issueColumns)
    .as(sql`${unfinished.getSQL()} for no key update of ${voucherCampaigns}`);
  const [issue] = await db.with(locked).select().from(locked);
  return issue;
}

type LockedIssue = NonNullable<Awaited<ReturnType<typeof lockIssue>>>;

/** Issues to the next batch of a locked issue's customers. */
export async function issueBatch(
  tx: Tx,
  merchant: Merchant,
  issue: LockedIssue,
  now: Date,
): Promise<{ isFinished: boolean; issued: number; outcomes: Map<string, Voucher | NotIssued> }> {
  const { merchantId, db } = tx;
  const { customerIds, last } = await nextCustomers(tx, merchant, issue, now);
  const occasion = occasionOf(issue);
  const outcomes = await issueVouchers(tx, merchant, { campaignId: issue.campaignId, customerIds, occasion, now });
  const results = [...outcomes.values()];
  const issued = results.filter((outcome) => typeof outcome === 'object').length;
  // An archived or ended campaign can't issue to the remaining customers, either.
  const isFinished = last === null || results.includes('not_running');
  const { id, issuedCount, refusedCount } = voucherIssues;
  await db
    .update(voucherIssues)
    .set({
      doneThrough: last ?? undefined,
      issuedCount: sql`${issuedCount} + ${issued}`,
      refusedCount: sql`${refusedCount} + ${results.length - issued}`,
      updatedAt: now,
      finishedAt: isFinished ? now : null,
    })
    .where(and(eq(voucherIssues.merchantId, merchantId), eq(id, issue.id)));
  return { isFinished, issued, outcomes };
}

function nextCustomers(tx: Tx, merchant: Merchant, issue: LockedIssue, now: Date): Promise<CustomerBatch> {
  const part = { after: issue.doneThrough, take: batchSize, days: merchant, now };
  switch (issue.audience) {
    case 'customers':
      return nextNamed(tx, issue.customerIds ?? [], part);
    case 'segment':
      return readSegment(tx, toSegment(issue), part);
    case 'birthday':
      return readBirthdays(tx, issue.occasionOn as string, part);
    case 'anniversary':
      return readAnniversaries(tx, issue.occasionOn as string, part);
  }
}

async function nextNamed(
  { merchantId, db }: Tx,
  customerIds: string[],
  { after, take }: { after: string | null; take: number },
): Promise<CustomerBatch> {
  const { id, erasedAt, mergedInto } = customers;
  const rows = await db
    .select({ id })
    .from(customers)
    .where(
      and(
        eq(customers.merchantId, merchantId),
        anyOf(id, customerIds),
        isNull(erasedAt),
        isNull(mergedInto),
        sql`(${after}::uuid is null or ${id} > ${after})`,
      ),
    )
    .orderBy(id)
    .limit(take);
  return toBatch(rows, take);
}

/** The occasion of an issue's vouchers, unique per customer. */
function occasionOf({ id, occasionOn, audience }: LockedIssue): string {
  if (occasionOn === null) return `hand ${id}`;
  return audience === 'segment' ? `seasonal ${occasionOn}` : `${audience} ${occasionOn.slice(0, 4)}`;
}
