import type { HistoryItem } from '@/server/domain/diners';
import type { LoyaltyWords, TextName } from '../words';

/** The names of the kinds of transactions. */
export const transactionKinds: Record<HistoryItem['type'], TextName<LoyaltyWords>> = {
  topUp: 'topUpDone',
  cashOut: 'valuePaidOut',
  redeemStoredValue: 'valueRedeemed',
  redeemVoucher: 'voucherRedeemed',
  redeemPoints: 'pointsRedeemed',
  sale: 'sale',
  adjustment: 'adjustment',
  expiry: 'expiry',
};
