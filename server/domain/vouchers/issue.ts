import type { Row } from 'postgres';
import type { Tx } from '@/db/client';
import { endOfDayAfter } from '../core/calendar';
import type { Merchant } from '../core/context';
import { newId } from '../core/ids';
import { formatVoucherCode, newVoucherCode } from './code';
import type { Voucher } from './schemas';

interface Issue {
  campaignId: string;
  customerId: string;
  /** Issued once for a customer and occasion; null: by hand, as often as the limits allow. */
  occasion: string | null;
  /** The sale that brings it about. */
  issuedBy?: string;
  now: Date;
}

export type NotIssued = 'already_issued' | 'limit_reached' | 'not_running';

/**
 * Issues one voucher of a campaign to a customer, or says why not. The campaign's and the customer's counters are
 * raised only below their limits, each in one statement, so that the limits hold whoever else issues.
 */
export async function issueVoucher(tx: Tx, merchant: Merchant, issue: Issue): Promise<Voucher | NotIssued> {
  const { merchantId, sql } = tx;
  const { campaignId, customerId, occasion, now } = issue;
  const [campaign] = await sql`
    select * from voucher_campaigns where merchant_id = ${merchantId} and id = ${campaignId}
      and paused_at is null and archived_at is null and (valid_until is null or valid_until > ${now})`;
  if (!campaign) return 'not_running';

  if (occasion !== null) {
    const [earlier] = await sql`
      select from vouchers where merchant_id = ${merchantId} and campaign_id = ${campaignId}
        and customer_id = ${customerId} and occasion = ${occasion}`;
    if (earlier) return 'already_issued';
  }
  if (!(await count(tx, campaign, customerId))) return 'limit_reached';
  const expiresAt = expiryOf(campaign, merchant, now);
  const voucherCode = newVoucherCode();
  const inserted = await sql`
    insert into vouchers (merchant_id, id, campaign_id, customer_id, voucher_code, occasion, issued_at, expires_at, issued_by)
    values (${merchantId}, ${newId()}, ${campaignId}, ${customerId}, ${voucherCode}, ${occasion}, ${now}, ${expiresAt}, ${issue.issuedBy ?? null})
    on conflict (merchant_id, campaign_id, customer_id, occasion) do nothing`;
  if (inserted.count === 0) {
    // Somebody else issued it since we looked.
    await uncount(tx, campaign, customerId);
    return 'already_issued';
  }
  return toVoucher({ ...campaign, voucher_code: voucherCode, issued_at: now, expires_at: expiresAt });
}

/** Raises both counters; false, and nothing raised, where a limit stands in the way. */
async function count({ merchantId, sql }: Tx, campaign: Row, customerId: string): Promise<boolean> {
  const ofCampaign = await sql`
    update voucher_campaigns set issued_count = issued_count + 1
    where merchant_id = ${merchantId} and id = ${campaign.id} and (total_limit is null or issued_count < total_limit)`;
  if (ofCampaign.count === 0) return false;
  const perCustomer = campaign.per_customer_limit ?? 2_147_483_647;
  const ofCustomer = await sql`
    insert into voucher_counts as c (merchant_id, campaign_id, customer_id, issued_count)
    values (${merchantId}, ${campaign.id}, ${customerId}, 1)
    on conflict (merchant_id, campaign_id, customer_id) do update set issued_count = c.issued_count + 1
    where c.issued_count < ${perCustomer}`;
  if (ofCustomer.count === 1) return true;
  await sql`
    update voucher_campaigns set issued_count = issued_count - 1
    where merchant_id = ${merchantId} and id = ${campaign.id}`;
  return false;
}

async function uncount({ merchantId, sql }: Tx, campaign: Row, customerId: string): Promise<void> {
  await Promise.all([
    sql`
      update voucher_campaigns set issued_count = issued_count - 1
      where merchant_id = ${merchantId} and id = ${campaign.id}`,
    sql`
      update voucher_counts set issued_count = issued_count - 1
      where merchant_id = ${merchantId} and campaign_id = ${campaign.id} and customer_id = ${customerId}`,
  ]);
}

function expiryOf(campaign: Row, merchant: Merchant, now: Date): Date | null {
  const { validity_days: days, valid_until: until } = campaign as {
    validity_days: number | null;
    valid_until: Date | null;
  };
  if (days === null) return until;
  const byDays = endOfDayAfter(now, days, merchant.timeZone);
  return until !== null && until < byDays ? until : byDays;
}

/** Issues the vouchers for joining the programme: in the transaction that creates the customer. */
export async function issueOnJoin(
  tx: Tx,
  merchant: Merchant,
  { customerId, issuedBy, now }: { customerId: string; issuedBy?: string; now: Date },
): Promise<Voucher[]> {
  const { merchantId, sql } = tx;
  const campaigns = await sql`
    select id from voucher_campaigns where merchant_id = ${merchantId} and trigger = 'join' and paused_at is null
      and archived_at is null and (valid_from is null or valid_from <= ${now}) order by id limit 50`;
  const issued: Voucher[] = [];
  for (const { id } of campaigns) {
    const voucher = await issueVoucher(tx, merchant, { campaignId: id, customerId, occasion: 'join', issuedBy, now });
    if (typeof voucher === 'object') issued.push(voucher);
  }
  return issued;
}

const isPercentage = (unit: string) => unit.endsWith('Percentage');

/** A row of a voucher with its campaign's columns, in its public shape. */
export function toVoucher(row: Row): Voucher {
  return {
    voucherCode: formatVoucherCode(row.voucher_code),
    name: row.name,
    unit: row.unit,
    value: isPercentage(row.unit) ? row.value / 100 : row.value,
    plus: row.plus,
    minSpend: row.min_spend,
    maxDiscount: row.max_discount,
    maxUnits: row.max_units,
    stackable: row.stackable,
    issuedAt: new Date(row.issued_at).toISOString(),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
  };
}
