import type { Row } from 'postgres';
import type { Merchant } from '../core/context';

/** The columns of a merchant's settings, for a query on `merchants`. */
export const merchantColumns = `id as merchant_id, name as merchant_name, currency, country, time_zone, locale, pin_required,
  balance_limit, earn_points, earn_per_amount, point_value, min_redeem_points, points_expiry_months, enrol_on_sale,
  clock_ahead_seconds, notice_kinds, quiet_from, quiet_until`;

/** The merchant of a row that has `merchantColumns`. */
export function toMerchant(row: Row): Merchant {
  return {
    id: row.merchant_id,
    name: row.merchant_name,
    currency: row.currency,
    country: row.country,
    timeZone: row.time_zone,
    locale: row.locale,
    pinRequired: row.pin_required,
    balanceLimit: row.balance_limit,
    earnPoints: row.earn_points,
    earnPerAmount: row.earn_per_amount,
    pointValue: row.point_value,
    minRedeemPoints: row.min_redeem_points,
    pointsExpiryMonths: row.points_expiry_months,
    enrolOnSale: row.enrol_on_sale,
    clockAheadSeconds: row.clock_ahead_seconds,
    noticeKinds: row.notice_kinds,
    quietHours: row.quiet_from === null ? null : { from: row.quiet_from, until: row.quiet_until },
  };
}
