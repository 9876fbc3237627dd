import type { Merchant } from './context';
import { formatCountIn, formatMoneyIn } from './money';

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
export type ReceiptRow = readonly [ReceiptWord, number | string | { count: number }];

/**
 * Formats a receipt as plain text of at most 40 columns, in the merchant's language and currency. The merchant's name
 * comes first, then a line per amount (minor units), count or text, with the label at the left and the value at the right.
 */
export function receipt(merchant: Merchant, rows: ReceiptRow[]): string {
  const language = merchant.locale.slice(0, 2) as keyof typeof words;
  const dictionary = words[language] ?? words.en;
  const lines = [clip(merchant.name, columns)];
  for (const [word, value] of rows) {
    const right = formatValue(merchant, value);
    const left = clip(dictionary[word], columns - width(right) - 1);
    lines.push(left + ' '.repeat(columns - width(left) - width(right)) + right);
  }
  return lines.join('\n');
}

function formatValue({ locale, currency }: Merchant, value: ReceiptRow[1]): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatMoneyIn(locale, value, currency) : formatCountIn(locale, value.count);
}

/** East Asian wide characters take two columns on a receipt printer. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

function width(text: string): number {
  let total = 0;
  for (const char of text) total += wide.test(char) || char.length > 1 ? 2 : 1;
  return total;
}

function clip(text: string, max: number): string {
  let total = 0;
  let out = '';
  for (const char of text) {
    total += width(char);
    if (total > max) break;
    out += char;
  }
  return out;
}
