/** Begins the issues that come by themselves: birthdays, anniversaries, seasonal days. */
import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { recordRun } from '../automations/record-run';
import { addToDate, dateIn } from '../core/calendar';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import { eachInTurn } from '../core/each-in-turn';
import { newId } from '../core/ids';
import { merchantNow } from '../merchants/merchant-time';
import { queueIssue } from './issue-run';
import { segmentColumns, toDay, toSegment } from './segment';

/** How many missed days of a campaign one database transaction begins. */
const maxDays = 100;

/**
 * Begins what is due in the time zone of each merchant. Every day of a campaign is begun once, however often, late or
 * from how many workers this is called: the campaign's row says how far it is, and a unique key holds. Errors: the
 * first fault, once all others are begun.
 */
export async function beginOccasions(services: Services): Promise<void> {
  const due = await services.db.sql<Due[]>`
    select merchant_id as "merchantId", array_agg(campaign_id) as "campaignIds"
    from due_occasions(${services.systemClock.now()}) group by merchant_id`;
  await eachInTurn(due, (merchant) => beginDue(services, merchant), services.stopping);
}

/** The same, of one merchant. */
export async function beginOccasionsOf(
  services: Services,
  { merchantId, runId }: { merchantId: string; runId?: string },
): Promise<void> {
  const due = await services.db.sql<{ campaignId: string }[]>`
    select campaign_id as "campaignId" from due_occasions(${services.systemClock.now()}) where merchant_id = ${merchantId}`;
  await beginDue(services, { merchantId, runId, campaignIds: due.map(({ campaignId }) => campaignId) });
}

interface Due {
  merchantId: string;
  campaignIds: string[];
  runId?: string | undefined;
}

function beginDue(services: Services, { campaignIds, ...key }: Due): Promise<void> {
  return recordRun(services, { ...key, task: 'begin-voucher-occasions' }, (note) =>
    eachInTurn(campaignIds, async (campaignId) => {
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

/** How many of the campaign's days were begun, and whether there are more. */
async function beginCampaign(
  tx: Tx,
  services: Services,
  campaignId: string,
): Promise<{ days: number; isMore: boolean }> {
  const { merchantId, sql } = tx;
  const { merchant, now } = await merchantNow(tx, services);
  const today = dateIn(merchant.timeZone, now);
  const [campaign] = await sql`
    select * from voucher_campaigns
    where merchant_id = ${merchantId} and id = ${campaignId} and paused_at is null and archived_at is null
      and (valid_until is null or valid_until > ${now})
    for no key update`;
  const through = toDay(campaign?.occasions_through ?? null) ?? lastBegun(today, campaign?.days_before ?? 0);
  // Begun meanwhile, or its merchant's zone is not there yet.
  if (!campaign || through >= today) return { days: 0, isMore: false };
  const farthest = addToDate(through, maxDays);
  const until = campaign.trigger === 'seasonal' || today < farthest ? today : farthest;
  const days = celebratedDays(campaign, through, until);
  for (const day of days) await beginIssue(tx, campaign, day, now);
  await sql`
    update voucher_campaigns set occasions_through = ${until}
    where merchant_id = ${merchantId} and id = ${campaignId}`;
  await announce(tx, 'campaigns');
  return { days: days.length, isMore: until < today };
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
    insert into voucher_issues ${sql(row)} on conflict (merchant_id, campaign_id, audience, occasion_on) do nothing`;
  if (count === 1) await queueIssue(tx, { merchantId, issueId: row.id });
}
