/**
 * Tills name one payment method in several ways, which count as one: in lower case, and without spaces, hyphens,
 * underscores, dots and slashes.
 */
export const paymentSpellings = {
  cash: ['cash', 'tunai', '现金', '現金'],
  card: ['card', 'creditcard', 'debitcard', 'bankcard', 'cc', 'kad', '银行卡', 'カード'],
  visa: ['visa', 'visacard', 'visacredit', 'visadebit'],
  mastercard: ['mastercard', 'master', 'mc', 'mastercardcredit', 'mastercarddebit'],
  amex: ['amex', 'americanexpress'],
  unionpay: ['unionpay', 'cup', '银联'],
  jcb: ['jcb'],
  nets: ['nets'],
  applePay: ['applepay'],
  googlePay: ['googlepay', 'gpay'],
  payNow: ['paynow'],
  duitNow: ['duitnow', 'duitnowqr'],
  payPay: ['paypay'],
  grabPay: ['grabpay', 'grab'],
  touchNGo: ['touchngo', 'tng', 'tngewallet'],
  alipay: ['alipay', '支付宝'],
  weChatPay: ['wechatpay', 'wechat', '微信', '微信支付'],
  bankTransfer: ['banktransfer', 'transfer', 'wire'],
  storedValue: ['storedvalue', 'sv', 'storevalue', 'balance', 'prepaid', 'wallet', '储值', '残高'],
  points: ['points', 'loyaltypoints', '积分', 'ポイント'],
  voucher: ['voucher', 'vouchers', 'coupon', '优惠券', 'クーポン'],
  other: ['other', 'others', 'misc', '其他', 'その他'],
} as const satisfies Record<string, readonly string[]>;

export type PaymentName = keyof typeof paymentSpellings;
export const paymentNames = Object.keys(paymentSpellings) as PaymentName[];
