import type { Row } from 'postgres';
import type { Tx } from '@/db/client';
import { endOfDayAfter } from '../core/calendar';
import type { Merchant } from '../core/context';
import { newId } from '../core/ids';
import { queueNotices } from '../messaging/notices';
import { formatVoucherCode, newVoucherCode } from './code';
import { isPercentage, type Voucher } from './schemas';

interface Occasion {
  campaignId: string;
  /** Issued once for a customer and occasion. */
  occasion: string;
  /** The sale that brings it about. */
  issuedBy?: string | undefined;
  now: Date;
}

export type NotIssued = 'already_issued' | 'limit_reached' | 'not_running';

/**
 * Issues a voucher of a campaign to each of these customers, or says why not. The campaign's row is locked until the
 * database transaction ends, so that the limits hold when others issue, too.
 */
export async function issueVouchers(
  tx: Tx,
  merchant: Merchant,
  issue: Occasion & { customerIds: string[] },
): Promise<Map<string, Voucher | NotIssued>> {
  const { merchantId, sql } = tx;
  const { campaignId, customerIds, occasion, now } = issue;
  const [campaign] = await sql`
    select * from voucher_campaigns where merchant_id = ${merchantId} and id = ${campaignId}
      and paused_at is null and archived_at is null and (valid_until is null or valid_until > ${now})
    for no key update`;
  if (!campaign) return new Map(customerIds.map((customerId) => [customerId, 'not_running']));
  const found = await sql`
    select a.customer_id, coalesce(c.issued_count, 0) as issued_count, exists (
      select from vouchers v where v.merchant_id = ${merchantId} and v.campaign_id = ${campaignId}
        and v.customer_id = a.customer_id and v.occasion = ${occasion}) as has_one
    from unnest(${customerIds}::uuid[]) a (customer_id)
    left join voucher_counts c
      on c.merchant_id = ${merchantId} and c.campaign_id = ${campaignId} and c.customer_id = a.customer_id`;

  const expiresAt = expiryOf(campaign, merchant, now);
  let left = (campaign.total_limit ?? 2_147_483_647) - campaign.issued_count;
  const outcomes = new Map<string, Voucher | NotIssued>();
  const rows: { id: string; customerId: string; voucherCode: string }[] = [];
  for (const { customer_id: customerId, issued_count, has_one } of found) {
    if (has_one) outcomes.set(customerId, 'already_issued');
    else if (left === 0 || issued_count >= (campaign.per_customer_limit ?? Number.POSITIVE_INFINITY)) {
      outcomes.set(customerId, 'limit_reached');
    } else {
      left -= 1;
      const voucherCode = newVoucherCode();
      rows.push({ id: newId(now.getTime()), customerId, voucherCode });
      outcomes.set(
        customerId,
        toVoucher({ ...campaign, voucher_code: voucherCode, issued_at: now, expires_at: expiresAt }),
      );
    }
  }
  if (rows.length > 0) await write(tx, merchant, issue, rows, expiresAt);
  return outcomes;
}

/** The vouchers, both counters, and the notices. */
async function write(
  tx: Tx,
  merchant: Merchant,
  { campaignId, occasion, issuedBy, now }: Occasion,
  rows: { id: string; customerId: string; voucherCode: string }[],
  expiresAt: Date | null,
): Promise<void> {
  const { merchantId, sql } = tx;
  const recipients = rows.map(({ customerId }) => customerId);
  const notices = rows.map(({ id, customerId }) => ({ customerId, subject: id }));
  await Promise.all([
    sql`
      update voucher_campaigns set issued_count = issued_count + ${rows.length}
      where merchant_id = ${merchantId} and id = ${campaignId}`,
    sql`
      insert into voucher_counts as c (merchant_id, campaign_id, customer_id, issued_count)
      select ${merchantId}, ${campaignId}, customer_id, 1 from unnest(${recipients}::uuid[]) customer_id
      on conflict (merchant_id, campaign_id, customer_id) do update set issued_count = c.issued_count + 1`,
    sql`
      insert into vouchers (merchant_id, id, campaign_id, customer_id, voucher_code, occasion, issued_at, expires_at, issued_by)
      select ${merchantId}, id, ${campaignId}, "customerId", "voucherCode", ${occasion}, ${now}, ${expiresAt}, ${issuedBy ?? null}
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as r (id uuid, "customerId" uuid, "voucherCode" text)`,
    queueNotices(tx, merchant, 'voucher-issued', notices, now),
  ]);
}

/** `issueVouchers` for one customer. */
export async function issueVoucher(
  tx: Tx,
  merchant: Merchant,
  { customerId, ...issue }: Occasion & { customerId: string },
): Promise<Voucher | NotIssued> {
  const outcomes = await issueVouchers(tx, merchant, { ...issue, customerIds: [customerId] });
  return outcomes.get(customerId) as Voucher | NotIssued;
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
