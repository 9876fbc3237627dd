/** Begins the issues that come by themselves: birthdays, anniversaries, seasonal days. */
import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { addToDate, dateIn } from '../core/calendar';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import { newId } from '../core/ids';
import { queueIssue } from './issue-run';
import { segmentColumns, toDay, toSegment } from './segment';

/** How many missed days of a campaign are begun at once; the next run goes on. */
const maxDays = 400;

/**
 * Begins what is due in the time zone of each merchant. Every day of a campaign is begun once, however often, late or
 * from how many workers this is called: the campaign's row says how far it is, and a unique key holds. Errors: the
 * first fault, once all others are begun.
 */
export async function beginOccasions(services: Services): Promise<void> {
  const { db, clock } = services;
  const due = await db.sql`select merchant_id, campaign_id, time_zone from due_occasions(${clock.now()})`;
  const faults: unknown[] = [];
  for (const { merchant_id: merchantId, campaign_id: campaignId, time_zone: timeZone } of due) {
    const today = dateIn(timeZone, clock.now());
    await withMerchant(db, merchantId, (tx) => beginCampaign(tx, campaignId, today, clock.now())).catch((error) =>
      faults.push(error),
    );
  }
  if (faults.length > 0) throw faults[0];
}

async function beginCampaign(tx: Tx, campaignId: string, today: string, now: Date): Promise<void> {
  const { merchantId, sql } = tx;
  const [campaign] = await sql`
    select * from voucher_campaigns
    where merchant_id = ${merchantId} and id = ${campaignId} and paused_at is null and archived_at is null
      and (valid_until is null or valid_until > ${now})
    for no key update`;
  if (!campaign) return;
  const through = toDay(campaign.occasions_through) ?? lastBegun(today, campaign.days_before);
  const farthest = addToDate(through, maxDays);
  const until = campaign.trigger === 'seasonal' || today < farthest ? today : farthest;
  for (const day of celebratedDays(campaign, through, until)) await beginIssue(tx, campaign, day, now);
  await sql`
    update voucher_campaigns set occasions_through = ${until}
    where merchant_id = ${merchantId} and id = ${campaignId}`;
  await announce(tx, 'campaigns');
}

/**
 * How far a campaign is that begins `today`: just so that those whose day is near enough get theirs at once, and nobody
 * whose day is over.
 */
export const lastBegun = (today: string, daysBefore: number): string => addToDate(today, -1 - daysBefore);

/** The days that are celebrated by what is issued on the days behind `through`, up to `until`. */
function celebratedDays(campaign: Row, through: string, until: string): string[] {
  const seasonalOn = toDay(campaign.seasonal_on);
  if (seasonalOn !== null) return through < seasonalOn && seasonalOn <= until ? [seasonalOn] : [];
  const days: string[] = [];
  for (let day = addToDate(through, 1); day <= until; day = addToDate(day, 1)) {
    days.push(addToDate(day, campaign.days_before));
  }
  return days;
}

async function beginIssue(tx: Tx, campaign: Row, day: string, now: Date): Promise<void> {
  const { merchantId, sql } = tx;
  const row = {
    merchant_id: merchantId,
    id: newId(),
    campaign_id: campaign.id,
    audience: campaign.trigger === 'seasonal' ? 'segment' : campaign.trigger,
    ...segmentColumns(toSegment(campaign)),
    occasion_on: day,
    created_at: now,
    updated_at: now,
  };
  const { count } = await sql`
    insert into voucher_issues ${sql(row)} on conflict (merchant_id, campaign_id, occasion_on) do nothing`;
  if (count === 1) await queueIssue(tx, { merchantId, issueId: row.id });
}
