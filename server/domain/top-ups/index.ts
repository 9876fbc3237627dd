/** Top-ups at a counter and by card, started by a till or a phone. */

export { lookUpCounterCode } from './at-counter';
export { beginTopUp, listTopUpOffers, type TopUpOffers } from './begin';
export { cashOutByStaff, previewCashOut } from './cash-out-by-staff';
export { cancelTopUp, checkTopUp, endTopUpsOf, settleOverdueTopUps } from './change';
export { acknowledgeRefund, listRefundAlerts, type RefundAlert } from './refund-alerts';
export {
  beginTopUpInput,
  cashOutInput,
  cashOutPreviewInput,
  counterCodeInput,
  counterOffersInput,
  counterTopUp,
  staffTopUpInput,
  topUpRequestIdInput,
} from './schemas';
export { settleTopUp } from './settle';
export { topUp } from './top-up';
export { listCounterOffers, topUpByStaff } from './top-up-by-staff';
export { getTopUpRequest, type TopUpRequestView } from './view';
