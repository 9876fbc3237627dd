import { isDeepStrictEqual } from 'node:util';
import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import { DomainError, invalid } from '../core/errors';
import { customerNotFound } from '../customers/locate';
import { checkNotBlocked } from '../ledger/balance';
import type { StaffContext } from '../staff/context';
import { type Audience, everybody, type IssueInput, type Segment } from './campaign-schemas';
import { campaignNotFound } from './campaigns';
import type { NotIssued } from './issue';
import { batchSize, issueBatch, lockIssue, queueIssue } from './issue-run';
import { checkSegment, readSegment, segmentColumns, toSegment } from './segment';

export interface IssueResult {
  issued: number;
  refused: number;
  /** Whether the worker goes on with it. */
  isRunning: boolean;
}

/**
 * Issues vouchers by hand: at once where a batch is enough, else by the worker. The same `issueId` again issues nothing
 * more, and answers how far it is. Errors: `campaign_not_found`, `customer_not_found`, `store_not_found`,
 * `campaign_not_running`, for a single customer `voucher_limit_reached`.
 */
export function issueByHand(ctx: StaffContext, input: IssueInput): Promise<IssueResult> {
  const { merchant, clock } = ctx;
  return withMerchant(ctx.db, merchant.id, async (tx) => {
    const now = clock.now();
    const isRunning = await findWhetherRunning(tx, input.campaignId, now);
    const { issueId, campaignId, audience } = input;
    // First, for the row that is kept refers to the segment's store.
    if (audience.kind === 'segment') await checkSegment(tx, audience.segment);
    const isNew = await insertIssue(tx, ctx, input, now);
    if (!isNew) return resultOf(tx, input);
    if (!isRunning) ensureIssued('not_running');
    if (audience.kind === 'customers') await checkCustomers(tx, audience.customerIds);
    const change = { after: { issueId, audience: audience.kind, ...describe(audience) } };
    await auditStaff(tx, ctx, 'voucher.issue', { kind: 'campaign', id: campaignId }, change);
    if (audience.kind === 'customers' && audience.customerIds.length < batchSize) {
      const issue = await lockIssue(tx, issueId);
      if (!issue) throw new Error('the issue that was just made is not there');
      const { outcomes } = await issueBatch(tx, merchant, issue, now);
      if (outcomes.size === 1) ensureIssued([...outcomes.values()][0]);
    } else {
      await queueIssue(tx, { merchantId: merchant.id, issueId });
    }
    await Promise.all([announce(tx, 'campaigns'), announce(tx, 'vouchers')]);
    return resultOf(tx, input);
  });
}

const describe = (audience: Audience) =>
  audience.kind === 'segment' ? { segment: audience.segment } : { customers: audience.customerIds.length };

async function findWhetherRunning({ merchantId, sql }: Tx, campaignId: string, now: Date): Promise<boolean> {
  const [campaign] = await sql`
    select paused_at is null and archived_at is null and (valid_until is null or valid_until > ${now}) as is_running
    from voucher_campaigns where merchant_id = ${merchantId} and id = ${campaignId}`;
  if (!campaign) throw campaignNotFound();
  return campaign.is_running;
}

/** Errors: what a refusal means where one customer was to have a voucher. */
function ensureIssued(outcome: object | NotIssued | undefined): void {
  if (outcome === 'not_running') {
    throw new DomainError('campaign_not_running', 'This campaign is paused, archived or over. Nothing was issued.');
  }
  if (outcome === 'limit_reached') {
    throw new DomainError('voucher_limit_reached', 'The limit of this campaign is reached. Nothing was issued.');
  }
}

/** Whether it is new. Errors: `invalid_request` where the id was used for something else. */
async function insertIssue(
  { merchantId, sql }: Tx,
  { staff }: StaffContext,
  { issueId, campaignId, audience }: IssueInput,
  now: Date,
): Promise<boolean> {
  const isSegment = audience.kind === 'segment';
  const row = {
    merchant_id: merchantId,
    id: issueId,
    campaign_id: campaignId,
    audience: audience.kind,
    ...segmentColumns(isSegment ? audience.segment : everybody),
    requested_count: isSegment ? audience.expected : new Set(audience.customerIds).size,
    user_id: staff.userId,
    created_at: now,
    updated_at: now,
  };
  const customerIds = isSegment ? null : [...new Set(audience.customerIds)];
  const { count } =
    await sql`insert into voucher_issues ${sql({ ...row, customer_ids: customerIds })} on conflict do nothing`;
  if (count === 1) return true;
  const [before] = await sql`select * from voucher_issues where merchant_id = ${merchantId} and id = ${issueId}`;
  const isSame =
    before?.campaign_id === campaignId &&
    (audience.kind === 'segment'
      ? before.audience === 'segment' && isDeepStrictEqual(toSegment(before), { ...audience.segment })
      : isDeepStrictEqual(before.customer_ids, customerIds));
  if (!isSame) throw invalid('issueId', 'was used for another issue');
  return false;
}

async function checkCustomers({ merchantId, sql }: Tx, customerIds: string[]): Promise<void> {
  const asked = new Set(customerIds);
  const rows = await sql`
    select b.blocked_at from customers c
    join balances b on b.merchant_id = c.merchant_id and b.customer_id = c.id
    where c.merchant_id = ${merchantId} and c.id = any(${[...asked]}::uuid[]) and c.erased_at is null`;
  if (rows.length < asked.size) throw customerNotFound();
  for (const row of rows) checkNotBlocked({ blockedAt: row.blocked_at });
}

async function resultOf({ merchantId, sql }: Tx, { issueId }: IssueInput): Promise<IssueResult> {
  const [row] = await sql`
    select issued_count, refused_count, finished_at from voucher_issues
    where merchant_id = ${merchantId} and id = ${issueId}`;
  return { issued: row?.issued_count, refused: row?.refused_count, isRunning: row?.finished_at === null };
}

/** How many customers a count looks at in one database transaction, and for how long one call goes on. */
const countBatch = 5_000;
const countForMs = 1_000;

/**
 * A part of a segment's count: call it again from `next` until that is null, and add the parts up. Errors:
 * `store_not_found`.
 */
export async function countSegment(
  ctx: StaffContext,
  { segment, after }: { segment: Segment; after: string | null },
): Promise<{ customers: number; next: string | null }> {
  const { timeZone, id } = ctx.merchant;
  const stopAt = performance.now() + countForMs;
  let customers = 0;
  let next = after;
  do {
    const from = next;
    const batch = await withMerchant(ctx.db, id, async (tx) => {
      if (from === null) await checkSegment(tx, segment);
      return readSegment(tx, segment, { after: from, take: countBatch, timeZone, now: ctx.clock.now() });
    });
    customers += batch.customerIds.length;
    next = batch.last;
  } while (next !== null && performance.now() < stopAt);
  return { customers, next };
}
