import type { HistoryItem } from '@/server/domain/diners';
import type { LoyaltyWords, TextName } from '../words';

/** What a kind of transaction is called. */
export const transactionKinds: Record<HistoryItem['type'], TextName<LoyaltyWords>> = {
  topUp: 'topUpDone',
  redeemStoredValue: 'valueRedeemed',
  redeemVoucher: 'voucherRedeemed',
  redeemPoints: 'pointsRedeemed',
  sale: 'sale',
  adjustment: 'adjustment',
  expiry: 'expiry',
};
