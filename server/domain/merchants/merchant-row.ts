import { merchants } from '@/db/schema';
import type { Merchant } from '../core/context';

/** A merchant's settings, for a query on `merchants`. */
export const merchantColumns = {
  merchantId: merchants.id,
  merchantName: merchants.name,
  currency: merchants.currency,
  country: merchants.country,
  timeZone: merchants.timeZone,
  locale: merchants.locale,
  pinRequired: merchants.pinRequired,
  balanceLimit: merchants.balanceLimit,
  earnPoints: merchants.earnPoints,
  earnPerAmount: merchants.earnPerAmount,
  pointValue: merchants.pointValue,
  minRedeemPoints: merchants.minRedeemPoints,
  pointsExpiryMonths: merchants.pointsExpiryMonths,
  enrolOnSale: merchants.enrolOnSale,
  clockAheadSeconds: merchants.clockAheadSeconds,
  noticeKinds: merchants.noticeKinds,
  quietFrom: merchants.quietFrom,
  quietUntil: merchants.quietUntil,
};

type MerchantRow = Omit<Merchant, 'id' | 'name' | 'quietHours'> & {
  merchantId: string;
  merchantName: string;
  quietFrom: string | null;
  quietUntil: string | null;
};

/** The merchant of a row that has `merchantColumns`, and maybe others. */
export function toMerchant(row: MerchantRow): Merchant {
  return {
    id: row.merchantId,
    name: row.merchantName,
    currency: row.currency,
    country: row.country,
    timeZone: row.timeZone,
    locale: row.locale,
    pinRequired: row.pinRequired,
    balanceLimit: row.balanceLimit,
    earnPoints: row.earnPoints,
    earnPerAmount: row.earnPerAmount,
    pointValue: row.pointValue,
    minRedeemPoints: row.minRedeemPoints,
    pointsExpiryMonths: row.pointsExpiryMonths,
    enrolOnSale: row.enrolOnSale,
    clockAheadSeconds: row.clockAheadSeconds,
    noticeKinds: row.noticeKinds,
    quietHours:
      row.quietFrom === null || row.quietUntil === null ? null : { from: row.quietFrom, until: row.quietUntil },
  };
}
