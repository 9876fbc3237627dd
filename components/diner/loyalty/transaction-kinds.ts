import type { HistoryItem } from '@/server/domain/diners';
import type { LoyaltyWords, TextName } from '../words';

const transactionKinds: Record<HistoryItem['type'], TextName<LoyaltyWords>> = {
  topUp: 'topUpDone',
  cashOut: 'valuePaidOut',
  redeemStoredValue: 'valueRedeemed',
  redeemVoucher: 'voucherRedeemed',
  redeemPoints: 'pointsRedeemed',
  sale: 'sale',
  adjustment: 'adjustment',
  expiry: 'expiry',
};

/** The name of a transaction's kind. */
export const kindOf = ({ type, isDispute }: Pick<HistoryItem, 'type' | 'isDispute'>): TextName<LoyaltyWords> =>
  isDispute ? 'disputed' : transactionKinds[type];
