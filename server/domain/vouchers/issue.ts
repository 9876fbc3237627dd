import { and, eq, exists, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { insertFrom, insertRows, nameOf, type RowOf, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { customers, voucherCampaigns, voucherCounts, vouchers } from '@/db/schema';
import { endOfDayAfter } from '../kernel/calendar';
import type { Merchant } from '../kernel/context';
import { newId } from '../kernel/ids';
import type { Voucher } from '../kernel/voucher';
import { formatVoucherCode, newVoucherCode } from '../kernel/voucher-code';
import { publicValue } from '../kernel/voucher-units';
import { queueNotices } from '../messaging';

interface Occasion {
  campaignId: string;
  /** A customer gets one voucher of the campaign per occasion. */
  occasion: string;
  /** The sale that triggered it. */
  issuedBy?: string | undefined;
  now: Date;
}

export type NotIssued = 'already_issued' | 'limit_reached' | 'not_running';

/**
 * Issues a campaign's voucher to each of these customers, or returns why it was not issued. The campaign's row is
 * locked until the database transaction ends, so that its limits hold for concurrent issues.
 */
export async function issueVouchers(
  tx: Tx,
  merchant: Merchant,
  issue: Occasion & { customerIds: string[] },
): Promise<Map<string, Voucher | NotIssued>> {
  const { merchantId, db } = tx;
  const { campaignId, customerIds, occasion, now } = issue;
  const [campaign] = await db
    .select()
    .from(voucherCampaigns)
    .where(
      and(
        eq(voucherCampaigns.merchantId, merchantId),
        eq(voucherCampaigns.id, campaignId),
        isNull(voucherCampaigns.pausedAt),
        isNull(voucherCampaigns.archivedAt),
        or(isNull(voucherCampaigns.validUntil), gt(voucherCampaigns.validUntil, now)),
      ),
    )
    .for('no key update');
  if (!campaign) return new Map(customerIds.map((customerId) => [customerId, 'not_running']));
  const earlier = await findEarlier(db, {
    merchantId,
    campaignId,
    occasion,
    customers: customerIds.map((customerId) => ({ customerId })),
  });

  const expiresAt = expiryOf(campaign, merchant, now);
  let left = (campaign.totalLimit ?? 2_147_483_647) - campaign.issuedCount;
  const outcomes = new Map<string, Voucher | NotIssued>();
  const rows: NewVoucher[] = [];
  for (const { customerId, issuedCount, hasOne } of earlier) {
    if (hasOne) outcomes.set(customerId, 'already_issued');
    else if (left === 0 || issuedCount >= (campaign.perCustomerLimit ?? Number.POSITIVE_INFINITY)) {
      outcomes.set(customerId, 'limit_reached');
    } else {
      left -= 1;
      const voucher = { id: newId(now.getTime()), customerId, voucherCode: newVoucherCode(), issuedAt: now, expiresAt };
      rows.push({ ...voucher, campaignId, occasion, issuedBy: issue.issuedBy });
      outcomes.set(customerId, toVoucher({ ...campaign, ...voucher }));
    }
  }
  if (rows.length > 0) await write(tx, merchant, issue, rows);
  return outcomes;
}

interface Earlier {
  merchantId: string;
  campaignId: string;
  occasion: string;
  customers: { customerId: string }[];
}

/** Counts the campaign's vouchers per customer, and checks for one of this occasion. */
const findEarlier = prepare((db, given: Given<Earlier>) => {
  const { merchantId, campaignId } = given;
  const { $rows, customerId } = recordset('asked', { customerId: vouchers.customerId }, given.customers);
  const ofOccasion = db
    .select({ id: vouchers.id })
    .from(vouchers)
    .where(
      and(
        eq(vouchers.merchantId, merchantId),
        eq(vouchers.campaignId, campaignId),
        eq(vouchers.customerId, customerId),
        eq(vouchers.occasion, given.occasion),
      ),
    );
  return db
    .select({
      customerId,
      issuedCount: sql<number>`coalesce(${voucherCounts.issuedCount}, 0)`,
      hasOne: sql<boolean>`${exists(ofOccasion)}`,
    })
    .from($rows)
    .leftJoin(
      voucherCounts,
      and(
        eq(voucherCounts.merchantId, merchantId),
        eq(voucherCounts.campaignId, campaignId),
        eq(voucherCounts.customerId, customerId),
      ),
    );
});

interface NewVoucher {
  id: string;
  campaignId: string;
  customerId: string;
  voucherCode: string;
  occasion: string;
  issuedAt: Date;
  expiresAt: Date | null;
  issuedBy: string | undefined;
}

const { id, campaignId, customerId, voucherCode, occasion, issuedAt, expiresAt, issuedBy } = vouchers;
const issuedColumns = { id, campaignId, customerId, voucherCode, occasion, issuedAt, expiresAt, issuedBy };
/** Without `insertRows`, because a trigger of the table counts the rows. */
const insertVouchers = prepare<{ merchantId: string; rows: RowOf<typeof issuedColumns>[] }>((_, given) => {
  const { $rows, ...fields } = recordset('r', issuedColumns, given.rows);
  return insertFrom(vouchers, { ...fields, merchantId: given.merchantId }, $rows);
});
const { merchantId: countsOf, campaignId: countsIn, customerId: countsFor, issuedCount } = voucherCounts;
const countVouchers = insertRows(
  voucherCounts,
  ['campaignId', 'customerId', 'issuedCount'],
  sql`(${nameOf(countsOf)}, ${nameOf(countsIn)}, ${nameOf(countsFor)})
    do update set ${nameOf(issuedCount)} = ${issuedCount} + excluded.${nameOf(issuedCount)}`,
);

/** Writes the vouchers and the notices. */
async function write(tx: Tx, merchant: Merchant, { campaignId, now }: Occasion, rows: NewVoucher[]): Promise<void> {
  const notices = rows.map(({ id, customerId }) => ({ customerId, subject: id }));
  await Promise.all([writeVouchers(tx, campaignId, rows), queueNotices(tx, merchant, 'voucher-issued', notices, now)]);
}

/** Writes vouchers of one campaign, which is locked, and both counters. */
export async function writeVouchers(tx: Tx, campaignId: string, rows: NewVoucher[]): Promise<void> {
  const { merchantId, db } = tx;
  const counts = new Map<string, number>();
  for (const { customerId } of rows) counts.set(customerId, (counts.get(customerId) ?? 0) + 1);
  await Promise.all([
    db
      .update(voucherCampaigns)
      .set({ issuedCount: sql`${voucherCampaigns.issuedCount} + ${rows.length}` })
      .where(and(eq(voucherCampaigns.merchantId, merchantId), eq(voucherCampaigns.id, campaignId))),
    countVouchers(
      tx,
      [...counts].map(([customerId, issuedCount]) => ({ campaignId, customerId, issuedCount })),
    ),
    insertVouchers(db, { merchantId, rows }),
  ]);
}

/** Issues a voucher to one customer. */
export async function issueVoucher(
  tx: Tx,
  merchant: Merchant,
  { customerId, ...issue }: Occasion & { customerId: string },
): Promise<Voucher | NotIssued> {
  const outcomes = await issueVouchers(tx, merchant, { ...issue, customerIds: [customerId] });
  return outcomes.get(customerId) as Voucher | NotIssued;
}

/** When a voucher of a campaign expires that is issued now. */
export function expiryOf(
  { validityDays: days, validUntil: until }: { validityDays: number | null; validUntil: Date | null },
  merchant: Pick<Merchant, 'timeZone' | 'dayStartsAt'>,
  now: Date,
): Date | null {
  if (days === null) return until;
  const byDays = endOfDayAfter(now, days, merchant);
  return until !== null && until < byDays ? until : byDays;
}

interface Joining {
  customerId: string;
  issuedBy?: string;
  now: Date;
}

/**
 * Issues the sign-up vouchers, in the database transaction that creates the customer. Where they need a verified phone,
 * they wait for `issueOnVerified`, unless `isVerified`.
 */
export async function issueOnJoin(
  tx: Tx,
  merchant: Merchant,
  { isVerified = false, ...joining }: Joining & { isVerified?: boolean },
): Promise<Voucher[]> {
  if (isVerified || !merchant.signUpNeedsPhone) return issueForJoining(tx, merchant, joining);
  await tx.db
    .update(customers)
    .set({ signUpVouchersDue: true })
    .where(and(eq(customers.merchantId, tx.merchantId), eq(customers.id, joining.customerId)));
  return [];
}

/** Issues the sign-up vouchers of a customer that waited until the phone was verified, once. */
export async function issueOnVerified(tx: Tx, merchant: Merchant, joining: Joining): Promise<void> {
  const { id, merchantId, signUpVouchersDue } = customers;
  const isDue = and(eq(merchantId, tx.merchantId), eq(id, joining.customerId), signUpVouchersDue);
  const due = await tx.db.update(customers).set({ signUpVouchersDue: false }).where(isDue).returning({ id });
  if (due.length > 0) await issueForJoining(tx, merchant, joining);
}

async function issueForJoining(tx: Tx, merchant: Merchant, { customerId, issuedBy, now }: Joining): Promise<Voucher[]> {
  const { merchantId, db } = tx;
  const { id, trigger, pausedAt, archivedAt, validFrom } = voucherCampaigns;
  const campaigns = await db
    .select({ id })
    .from(voucherCampaigns)
    .where(
      and(
        eq(voucherCampaigns.merchantId, merchantId),
        eq(trigger, 'join'),
        isNull(pausedAt),
        isNull(archivedAt),
        or(isNull(validFrom), lte(validFrom, now)),
      ),
    )
    .orderBy(id)
    .limit(50);
  const issued: Voucher[] = [];
  for (const campaign of campaigns) {
    const occasion = { campaignId: campaign.id, customerId, occasion: 'join', issuedBy, now };
    const voucher = await issueVoucher(tx, merchant, occasion);
    if (typeof voucher === 'object') issued.push(voucher);
  }
  return issued;
}

/** A voucher's terms, which do not change once a voucher was issued. */
export const termColumns = {
  unit: voucherCampaigns.unit,
  value: voucherCampaigns.value,
  plus: voucherCampaigns.plus,
  minSpend: voucherCampaigns.minSpend,
  maxDiscount: voucherCampaigns.maxDiscount,
  maxUnits: voucherCampaigns.maxUnits,
  stackable: voucherCampaigns.stackable,
};

/** A voucher's columns, from `vouchers` joined with its campaign. */
export const voucherColumns = {
  voucherCode: vouchers.voucherCode,
  name: voucherCampaigns.name,
  ...termColumns,
  issuedAt: vouchers.issuedAt,
  expiresAt: vouchers.expiresAt,
};

type VoucherRow = Pick<typeof vouchers.$inferSelect, 'voucherCode'> &
  Pick<typeof voucherCampaigns.$inferSelect, 'name' | keyof typeof termColumns> & {
    issuedAt: Date | string;
    expiresAt: Date | string | null;
  };

export const toVoucher = (row: VoucherRow): Voucher => ({
  voucherCode: formatVoucherCode(row.voucherCode),
  name: row.name,
  unit: row.unit,
  value: publicValue(row),
  plus: row.plus,
  minSpend: row.minSpend,
  maxDiscount: row.maxDiscount,
  maxUnits: row.maxUnits,
  stackable: row.stackable,
  issuedAt: new Date(row.issuedAt).toISOString(),
  expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
});
