import type { Receipt } from '@/server/domain/diners';
import type { ReceiptContent, ReceiptLine } from '../receipt/receipt-content';
import { taxNamer } from '../tax-name';
import { fillText, formFor } from '../words';
import type { Speech } from './speech';
import { kindOf } from './transaction-kinds';

/** Turns a customer's transaction into a receipt in the reader's language. */
export function receiptOf(business: string, receipt: Receipt, speech: Speech): ReceiptContent {
  const { words, day } = speech;
  const { name, store, occurredAt, billId, receiptNumber, isVoided } = receipt;
  const kind = words[kindOf(receipt)];
  const number = receiptNumber ?? billId;
  return {
    business,
    store,
    title: name === null ? kind : fillText(words.receiptTitle, { kind, name }),
    time: [day(occurredAt), number && fillText(words.billNumber, { number })].filter(Boolean).join(' · '),
    lines: [...saleLines(receipt, speech), ...changes(receipt, speech)],
    notes: isVoided ? [words.voidedNote] : [],
  };
}

function saleLines({ sale, type, amount }: Receipt, { words, language, money, count }: Speech): ReceiptLine[] {
  if (!sale)
    return type === 'redeemVoucher' && amount !== null ? [{ text: words.discount, amount: money(-amount) }] : [];
  const nameOfTax = taxNamer(words.tax, language);
  const sums = [
    [words.subtotal, sale.subtotal],
    [words.discount, -sale.discount],
    [words.serviceCharge, sale.serviceCharge],
    [words.tax, sale.tax],
    [words.rounding, sale.rounding],
  ] as const;
  return [
    ...sale.lines.map((line) => ({ text: `${count(line.quantity)} × ${line.name}`, amount: money(line.amount) })),
    ...sums.filter(([, sum]) => sum !== 0).map(([text, sum]) => ({ text, amount: money(sum) })),
    { text: words.total, amount: money(sale.total), isStrong: true },
    ...sale.taxIncluded.map(({ rate, amount }) => ({
      text: fillText(words.includes, { tax: nameOfTax(rate) }),
      amount: money(amount),
    })),
    ...sale.payments.map((one) => ({
      text: fillText(words.paidWith, { method: one.method }),
      amount: money(one.amount),
    })),
  ];
}

/** The changes of balance and points. */
function changes({ moved, refunds }: Receipt, { words, language, money, count, day }: Speech): ReceiptLine[] {
  const value = moved.principal + moved.bonus;
  const signed = (change: number, text: string) => `${change > 0 ? '+' : '−'}${text}`;
  const points = Math.abs(moved.points);
  const pointsText = fillText(formFor(words.pointsChange, points, language), { count: count(points) });
  const cameBack = refunds.reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...(cameBack === 0 ? [] : [{ text: words.valueUsed, amount: signed(-1, money(cameBack - value)) }]),
    ...refunds.toReversed().map(({ amount, at }) => ({
      text: fillText(words.refundOn, { day: day(at) }),
      amount: signed(1, money(amount)),
    })),
    ...(value === 0
      ? []
      : [{ text: words.balanceChange, amount: signed(value, money(Math.abs(value))), isStrong: true }]),
    ...(moved.points === 0 ? [] : [{ text: words.points, amount: signed(moved.points, pointsText), isStrong: true }]),
  ];
}
