import type { ReceiptContent } from '../../receipt/receipt-content';
import { taxNamer } from '../../tax-name';
import { timeFormat } from '../../time-format';
import { type BillWords, type DinerLanguage, fillText, type TableWords } from '../../words';
import { payerOf } from './bill-news';
import type { BillRecord } from './record';

interface Speech {
  words: BillWords;
  common: TableWords;
  language: DinerLanguage;
  money: (amountMinor: number) => string;
}

/** Turns a bill into a receipt in the reader's language. */
export function receiptOfBill({ bill, table, seenAt }: BillRecord, speech: Speech): ReceiptContent {
  const { words, common, language, money } = speech;
  const { merchant, store } = table;
  const count = new Intl.NumberFormat(language);
  const minus = (amount: number) => (amount > 0 ? `−${money(amount)}` : money(-amount));
  const sums = [
    [words.discount, -bill.discount],
    [words.serviceCharge, bill.serviceCharge],
    [table.taxRules.taxName ?? words.tax, bill.tax],
    [words.rounding, bill.rounding],
  ] as const;
  const nameOfTax = taxNamer(table.taxRules.taxName ?? words.tax, language);
  const added = sums.filter(([, amount]) => amount !== 0);
  const tips = bill.payments
    .filter(({ state, isMine }) => state === 'paid' && isMine)
    .reduce((sum, { tip }) => sum + tip, 0);
  const format = timeFormat(merchant, language, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    business: merchant.name,
    store,
    title: table.table === null ? words.title : `${common.table} ${table.table}`,
    time: format.format(new Date(seenAt)),
    lines: [
      ...bill.lines.map(({ quantity, name, amount }) => ({
        text: `${count.format(quantity)} × ${name}`,
        amount: money(amount),
      })),
      ...(added.length > 0 ? [{ text: words.subtotal, amount: money(bill.subtotal) }] : []),
      ...added.map(([text, amount]) => ({ text, amount: amount < 0 ? minus(-amount) : money(amount) })),
      { text: words.total, amount: money(bill.total), isStrong: true },
      ...bill.taxIncluded.map(({ rate, amount }) => ({
        text: fillText(words.includes, { tax: nameOfTax(rate) }),
        amount: money(amount),
      })),
      ...bill.redemptions
        .filter(({ isVoided, isInDiscount }) => !isVoided && !isInDiscount)
        .map(({ type, amount }) => ({ text: words[type], amount: minus(amount) })),
      ...bill.paidAtTill.map(({ amount }) => ({ text: words.paidAtTill, amount: minus(amount) })),
      ...bill.payments
        .filter(({ state }) => state === 'paid')
        .map((payment) => ({
          text: fillText(words.paidHow, { how: words.cardPayment, who: payerOf(payment, words) }),
          amount: minus(payment.amount),
        })),
      { text: words.toPay, amount: money(bill.due), isStrong: true },
      ...(tips > 0 ? [{ text: words.tip, amount: money(tips) }] : []),
    ],
    notes: [words.receiptNote],
  };
}
