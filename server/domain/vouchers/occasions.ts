/** Starts automatic issues: birthdays, anniversaries and seasonal days. */

import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { dueOccasions } from '@/db/query/functions';
import { voucherCampaigns, voucherIssues } from '@/db/schema';
import { recordRun } from '../automations';
import { addToDate, dateIn } from '../kernel/calendar';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { newId } from '../kernel/ids';
import { readMerchantNow } from '../merchants';
import { type IssueAudience, queueIssue } from './issue-run';
import { toSegment } from './segment';

/** How many missed days of a campaign are made up for in one database transaction. */
const maxDays = 100;

/**
 * Starts all due issues, in each merchant's time zone. Each day of a campaign is started once, even if this runs late,
 * repeatedly or concurrently: the campaign's row records the progress, and a unique key guards it. Errors: the first
 * fault, after all others have started.
 */
export async function beginOccasions(services: Services): Promise<void> {
  const { $rows, merchantId, campaignId } = dueOccasions({ at: services.systemClock.now() });
  const due = await services.db.pool
    .select({ merchantId, campaignIds: sql<string[]>`array_agg(${campaignId})` })
    .from($rows)
    .groupBy(merchantId);
  await forEachInTurn(due, (merchant) => beginDue(services, merchant), services.stopping);
}

/** Starts one merchant's due issues. */
export async function beginOccasionsOf(
  services: Services,
  { merchantId, runId }: { merchantId: string; runId?: string },
): Promise<void> {
  const { $rows, campaignId, ...occasion } = dueOccasions({ at: services.systemClock.now() });
  const due = await services.db.pool.select({ campaignId }).from($rows).where(eq(occasion.merchantId, merchantId));
  await beginDue(services, { merchantId, runId, campaignIds: due.map(({ campaignId }) => campaignId) });
}

interface Due {
  merchantId: string;
  campaignIds: string[];
  runId?: string | undefined;
}

function beginDue(services: Services, { campaignIds, ...key }: Due): Promise<void> {
  return recordRun(services, { ...key, task: 'begin-voucher-occasions' }, (note) =>
    forEachInTurn(campaignIds, async (campaignId) => {
      let isMore = true;
      while (isMore) {
        isMore = await withMerchant(services.db, key.merchantId, async (tx) => {
          const begun = await beginCampaign(tx, services, campaignId);
          await note(tx, begun.days);
          return begun.isMore;
        });
      }
    }),
  );
}

/** Returns how many of the campaign's days were started, and whether there are more. */
async function beginCampaign(
  tx: Tx,
  services: Services,
  campaignId: string,
): Promise<{ days: number; isMore: boolean }> {
  const { merchantId, db } = tx;
  const { merchant, now, isClosed } = await readMerchantNow(tx, services);
  if (isClosed) return { days: 0, isMore: false };
  const today = dateIn(merchant, now);
  const { id, pausedAt, archivedAt, validUntil } = voucherCampaigns;
  const isIt = and(eq(voucherCampaigns.merchantId, merchantId), eq(id, campaignId));
  const [campaign] = await db
    .select()
    .from(voucherCampaigns)
    .where(and(isIt, isNull(pausedAt), isNull(archivedAt), or(isNull(validUntil), gt(validUntil, now))))
    .for('no key update');
  const through = campaign?.occasionsThrough ?? startingCursor(today, campaign?.daysBefore ?? 0);
  const audience = campaign && audienceOf[campaign.trigger];
  // Already started, no longer automatic, or the day has not begun in the merchant's time zone.
  if (!campaign || !audience || through >= today) return { days: 0, isMore: false };
  const farthest = addToDate(through, maxDays);
  const until = campaign.trigger === 'seasonal' || today < farthest ? today : farthest;
  const days = celebratedDays(campaign, through, until);
  for (const day of days) await beginIssue(tx, campaign, audience, day, now);
  await db.update(voucherCampaigns).set({ occasionsThrough: until }).where(isIt);
  await announceChange(tx, 'campaigns');
  return { days: days.length, isMore: until < today };
}

/** The cursor of a new campaign: covers days close enough to issue for now, but no past ones. */
export const startingCursor = (today: string, daysBefore: number): string => addToDate(today, -1 - daysBefore);

type Campaign = typeof voucherCampaigns.$inferSelect;

/** The audience of each trigger; null for triggers without a day. */
const audienceOf: Record<Campaign['trigger'], IssueAudience | null> = {
  birthday: 'birthday',
  anniversary: 'anniversary',
  seasonal: 'segment',
  join: null,
  manual: null,
};

/** Returns the celebrated days whose issue day is after `through`, up to `until`. */
function celebratedDays({ seasonalOn, daysBefore }: Campaign, through: string, until: string): string[] {
  if (seasonalOn !== null) return through < seasonalOn && seasonalOn <= until ? [seasonalOn] : [];
  const days: string[] = [];
  for (let day = addToDate(through, 1); day <= until; day = addToDate(day, 1)) {
    days.push(addToDate(day, daysBefore));
  }
  return days;
}

async function beginIssue(tx: Tx, campaign: Campaign, audience: IssueAudience, day: string, now: Date): Promise<void> {
  const { merchantId, db } = tx;
  const issueId = newId();
  const { count } = await db
    .insert(voucherIssues)
    .values({
      merchantId,
      id: issueId,
      campaignId: campaign.id,
      audience,
      ...toSegment(campaign),
      occasionOn: day,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({
      target: [voucherIssues.merchantId, voucherIssues.campaignId, voucherIssues.audience, voucherIssues.occasionOn],
    });
  if (count === 1) await queueIssue(tx, { merchantId, issueId });
}
