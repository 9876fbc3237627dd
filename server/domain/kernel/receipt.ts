import type { Merchant } from './context';
import { formatCountIn, formatMoneyIn } from './money';
import { type Printer, printerOf } from './receipt-printer';

const columns = 40;

/** The words on a receipt, by the language of the merchant's locale. */
const words = {
  en: {
    topUp: 'Top-up',
    paid: 'Paid',
    bonus: 'Bonus',
    redeemed: 'Stored value used',
    due: 'Amount due',
    balance: 'Balance',
    voucher: 'Voucher',
    discount: 'Discount',
    toPay: 'To pay',
    pointsUsed: 'Points used',
    pointsEarned: 'Points earned',
    points: 'Points',
    total: 'Total',
  },
  zh: {
    topUp: '充值',
    paid: '支付',
    bonus: '赠送',
    redeemed: '储值抵扣',
    due: '待付',
    balance: '余额',
    voucher: '优惠券',
    discount: '优惠',
    toPay: '应付',
    pointsUsed: '使用积分',
    pointsEarned: '获得积分',
    points: '积分',
    total: '合计',
  },
  ja: {
    topUp: 'チャージ',
    paid: 'お支払い',
    bonus: 'ボーナス',
    redeemed: 'チャージ残高利用',
    due: '残りのお支払い',
    balance: '残高',
    voucher: 'クーポン',
    discount: '割引',
    toPay: 'お支払い額',
    pointsUsed: '利用ポイント',
    pointsEarned: '獲得ポイント',
    points: 'ポイント',
    total: '合計',
  },
  ms: {
    topUp: 'Tambah nilai',
    paid: 'Dibayar',
    bonus: 'Bonus',
    redeemed: 'Nilai digunakan',
    due: 'Baki bayaran',
    balance: 'Baki',
    voucher: 'Baucar',
    discount: 'Diskaun',
    toPay: 'Perlu dibayar',
    pointsUsed: 'Mata digunakan',
    pointsEarned: 'Mata diperoleh',
    points: 'Mata',
    total: 'Jumlah',
  },
} as const;
export type ReceiptWord = keyof (typeof words)['en'];
export const receiptWords = Object.keys(words.en) as ReceiptWord[];
export type ReceiptRow = readonly [ReceiptWord, number | string | { count: number }];

/**
 * Formats a receipt as plain text of at most 40 columns, in the merchant's language and currency. The merchant's name
 * comes first, then a line per amount (minor units), count or text, with the label at the left and the value at the right.
 * Every character is one that printers with the language's code page have (`receipt-printer.ts`).
 */
export function receipt(merchant: Merchant, rows: ReceiptRow[]): string {
  const language = merchant.locale.slice(0, 2) as keyof typeof words;
  const dictionary = words[language] ?? words.en;
  const printer = printerOf(language);
  const lines = [printer.clip(printer.print(merchant.name), columns)];
  for (const [word, value] of rows) {
    const right = formatValue(merchant, printer, value);
    const left = printer.clip(dictionary[word], columns - printer.width(right) - 1);
    lines.push(left + ' '.repeat(columns - printer.width(left) - printer.width(right)) + right);
  }
  return lines.join('\n');
}

function formatValue({ locale, currency }: Merchant, printer: Printer, value: ReceiptRow[1]): string {
  if (typeof value === 'string') return printer.print(value);
  // No code page of ours has Arabic or Indic digits.
  const numberingSystem = 'latn';
  if (typeof value !== 'number') return printer.print(formatCountIn(locale, value.count, { numberingSystem }));
  const money = printer.print(formatMoneyIn(locale, value, currency, { numberingSystem }));
  if (printer.canPrint(money)) return money;
  return printer.print(formatMoneyIn(locale, value, currency, { numberingSystem, currencyDisplay: 'code' }));
}
