import { type BillWords, fillText } from '../../words';
import { takenAtTill } from './shares';
import type { DinerBill } from './types';

type Payment = DinerBill['payments'][number];

/** The payer's name for others at the table. */
export function payerOf({ isMine, guestName, guestNumber }: Payment, words: BillWords): string {
  if (isMine) return words.you;
  return guestName ?? (guestNumber === null ? words.someone : fillText(words.guest, { number: guestNumber }));
}

const isOfOthers = ({ isMine, isVoided }: DinerBill['redemptions'][number]) => !isMine && !isVoided;

const amountsOf = (bill: DinerBill, state: Payment['state']) =>
  bill.payments.filter((one) => one.state === state && !one.isMine);

/**
 * Describes what others have changed on the bill since `before`. Empty if there is nothing that a diner needs to hear.
 */
export function newsOf(
  before: DinerBill,
  bill: DinerBill,
  words: BillWords,
  money: (amount: number) => string,
): string {
  const isNew = (state: Payment['state']) => {
    const known = amountsOf(before, state).map(keyOf);
    return amountsOf(bill, state).find((one) => !known.includes(keyOf(one)));
  };
  const paid = isNew('paid');
  if (paid) return fillText(words.newsPaid, { who: payerOf(paid, words), amount: money(paid.amount) });
  const paying = isNew('held');
  if (paying) return fillText(words.newsPaying, { who: payerOf(paying, words), amount: money(paying.amount) });
  const [earlier, later] = [before, bill].map(({ redemptions }) => redemptions.filter(isOfOthers));
  const [last, gone] = [later?.at(-1), earlier?.at(-1)];
  const added = (later?.length ?? 0) - (earlier?.length ?? 0);
  if (added > 0 && last) return fillText(words.newsRedeemed, { amount: money(last.amount), how: words[last.type] });
  if (added < 0 && gone) return fillText(words.newsBack, { amount: money(gone.amount) });
  const taken = takenAtTill(bill) - takenAtTill(before);
  if (taken > 0) return fillText(words.newsPaidAtTill, { amount: money(taken) });
  if (bill.total !== before.total) return fillText(words.newsChanged, { amount: money(bill.due) });
  return '';
}

/** Other phones' payments have no id here. */
const keyOf = ({ guestNumber, guestName, amount, tip }: Payment) => [guestNumber, guestName, amount, tip].join();
