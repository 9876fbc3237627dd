/** Issuing to many: in batches, each one database transaction that also notes how far it came. */
import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { recordRun } from '../automations/record-run';
import { announce } from '../core/changes';
import type { Merchant, Services } from '../core/context';
import { merchantNow } from '../merchants/merchant-time';
import { readAnniversaries, readBirthdays } from './celebrants';
import { issueVouchers, type NotIssued } from './issue';
import type { Voucher } from './schemas';
import { type CustomerBatch, readSegment, toDay, toSegment } from './segment';

/** The job that carries an issue on, as the worker knows it. */
export const issueVouchersTask = 'issue-vouchers';
/** How many customers a batch looks at. */
export const batchSize = 1_000;
/** An issue that has not moved for this long has lost its worker. */
const stalledAfterMs = 60_000;

/** To whom an issue goes. */
export type IssueAudience = 'customers' | 'segment' | 'birthday' | 'anniversary';

interface IssueKey {
  merchantId: string;
  issueId: string;
}

/** Has the worker carry an issue on, once the database transaction commits. */
export function queueIssue({ sql }: Pick<Tx, 'sql'>, { merchantId, issueId }: IssueKey) {
  const payload = JSON.stringify({ merchantId, issueId });
  return sql`
    select graphile_worker.add_job(${issueVouchersTask}, ${payload}::text::json, job_key => ${`issue ${issueId}`})`;
}

/**
 * Issues until nobody is left, or the campaign is paused. Several may do so at once: they take turns. A worker that is to
 * stop leaves the rest to the next.
 */
export function continueIssue(services: Services, { merchantId, issueId }: IssueKey): Promise<void> {
  return recordRun(services, { merchantId, task: 'issue-vouchers' }, async (note) => {
    let isMore = true;
    while (isMore) {
      isMore = await withMerchant(services.db, merchantId, async (tx) => {
        const issue = await lockIssue(tx, issueId);
        if (!issue || issue.is_paused) return false;
        const { merchant, now } = await merchantNow(tx, services);
        const { isFinished, issued } = await issueBatch(tx, merchant, issue, now);
        await note(tx, issued);
        if (isFinished) await Promise.all([announce(tx, 'campaigns'), announce(tx, 'vouchers')]);
        return !isFinished;
      });
      if (isMore && services.stopping?.aborted) {
        await withMerchant(services.db, merchantId, (tx) => queueIssue(tx, { merchantId, issueId }));
        return;
      }
    }
  });
}

/** Hands issues that nobody carries on to the worker again: theirs was killed. */
export async function requeueStalledIssues({ db, systemClock }: Services): Promise<void> {
  const before = new Date(systemClock.now().getTime() - stalledAfterMs);
  const stalled = await db.sql`select merchant_id, issue_id from stalled_voucher_issues(${before})`;
  for (const { merchant_id: merchantId, issue_id: issueId } of stalled) {
    await withMerchant(db, merchantId, (tx) => queueIssue(tx, { merchantId, issueId }));
  }
}

/** An issue that is not finished, locked until the database transaction ends, and with it its campaign: nobody pauses it meanwhile. */
export async function lockIssue({ merchantId, sql }: Tx, issueId: string): Promise<Row | undefined> {
  const [issue] = await sql`
    select i.*, c.paused_at is not null as is_paused
    from voucher_issues i join voucher_campaigns c on c.merchant_id = i.merchant_id and c.id = i.campaign_id
    where i.merchant_id = ${merchantId} and i.id = ${issueId} and i.finished_at is null
    for update of i for no key update of c`;
  return issue;
}

/** Issues to the next batch of a locked issue's customers. */
export async function issueBatch(
  tx: Tx,
  merchant: Merchant,
  issue: Row,
  now: Date,
): Promise<{ isFinished: boolean; issued: number; outcomes: Map<string, Voucher | NotIssued> }> {
  const { merchantId, sql } = tx;
  const { customerIds, last } = await nextCustomers(tx, merchant, issue, now);
  const occasion = occasionOf(issue);
  const outcomes = await issueVouchers(tx, merchant, { campaignId: issue.campaign_id, customerIds, occasion, now });
  const results = [...outcomes.values()];
  const issued = results.filter((outcome) => typeof outcome === 'object').length;
  // A campaign that is archived or over has nothing for those behind, either.
  const isFinished = last === null || results.includes('not_running');
  await sql`
    update voucher_issues set done_through = coalesce(${last}, done_through), issued_count = issued_count + ${issued},
      refused_count = refused_count + ${results.length - issued}, updated_at = ${now},
      finished_at = ${isFinished ? now : null}
    where merchant_id = ${merchantId} and id = ${issue.id}`;
  return { isFinished, issued, outcomes };
}

function nextCustomers(tx: Tx, merchant: Merchant, issue: Row, now: Date): Promise<CustomerBatch> {
  const part = { after: issue.done_through, take: batchSize, timeZone: merchant.timeZone, now };
  switch (issue.audience as IssueAudience) {
    case 'customers':
      return nextNamed(tx, issue.customer_ids, part);
    case 'segment':
      return readSegment(tx, toSegment(issue), part);
    case 'birthday':
      return readBirthdays(tx, toDay(issue.occasion_on) as string, part);
    case 'anniversary':
      return readAnniversaries(tx, toDay(issue.occasion_on) as string, part);
  }
}

async function nextNamed(
  { merchantId, sql }: Tx,
  customerIds: string[],
  { after, take }: { after: string | null; take: number },
): Promise<CustomerBatch> {
  const rows = await sql`
    select id from customers
    where merchant_id = ${merchantId} and id = any(${customerIds}::uuid[]) and erased_at is null and (${after}::uuid is null or id > ${after})
    order by id ${sql.unsafe(`limit ${take}`)}`;
  return { customerIds: rows.map(({ id }) => id), last: rows.length === take ? rows.at(-1)?.id : null };
}

/** What its vouchers are issued for: once for a customer. */
function occasionOf({ id, occasion_on, audience }: Row): string {
  const day = toDay(occasion_on);
  if (day === null) return `hand ${id}`;
  return audience === 'segment' ? `seasonal ${day}` : `${audience} ${day.slice(0, 4)}`;
}
