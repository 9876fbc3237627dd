import type { ReactNode } from 'react';
import { fillText } from '../../words';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { payerOf } from './bill-news';
import type { DinerBill } from './types';
import { useTask } from './use-task';

type RedemptionType = DinerBill['redemptions'][number]['type'];

interface SettledProps {
  bill: DinerBill;
  onChanged: () => void;
  /** Announces the result. */
  onDone: (text: string) => void;
}

/** What was redeemed and paid on the bill, and is being paid. A diner can undo their own redemptions. */
export function Settled({ bill, onChanged, onDone }: SettledProps) {
  const { words, client } = useBillPage();
  const { money, time } = useSpeech();
  const { isBusy, refusal, run } = useTask();
  const redemptions = bill.redemptions.filter(({ isVoided }) => !isVoided);
  // This phone's own payment is shown above, with the next step.
  const payments = bill.payments.filter(({ isMine, state }) => !(isMine && state === 'held'));
  if (redemptions.length + payments.length + bill.paidAtTill.length === 0) return null;
  const undo = (transactionId: string, type: RedemptionType, amount: number) =>
    run(async () => {
      await client.bill.takeBack.mutate({ transactionId });
      onDone(fillText(type === 'redeemVoucher' ? words.voucherUndone : words.undone, { amount: money(amount) }));
    }).then(onChanged);
  return (
    <section aria-labelledby="settled">
      <h3 id="settled" className="font-semibold tracking-[-0.01em]">
        {words.settled}
      </h3>
      <ul className="mt-1 divide-y divide-line">
        {redemptions.map(({ type, amount, amountNow, isMine, isInDiscount, canTakeBack, transactionId }, at) => (
          <Entry
            key={transactionId ?? at}
            name={isMine ? fillText(words.paidHow, { how: words[type], who: words.you }) : words[type]}
            amount={`−${money(amount)}`}
            hint={[
              isInDiscount && words.inDiscount,
              amountNow !== null && amountNow !== amount && fillText(words.worthNow, { amount: money(amountNow) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          >
            {canTakeBack && transactionId ? (
              <button
                type="button"
                className="text-button text-accent"
                aria-disabled={isBusy || undefined}
                aria-label={fillText(words.undoNamed, { name: words[type], amount: money(amount) })}
                onClick={() => undo(transactionId, type, amount)}
              >
                {words.undo}
              </button>
            ) : null}
          </Entry>
        ))}
        {bill.paidAtTill.map(({ amount }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bill is replaced as a whole
          <Entry key={`till ${at}`} name={words.paidAtTill} amount={`−${money(amount)}`} hint={null} />
        ))}
        {payments.map((payment, at) => (
          <Entry
            key={payment.paymentId ?? `payment ${at}`}
            name={
              payment.state === 'held'
                ? fillText(words.isPaying, { who: payerOf(payment, words) })
                : fillText(words.paidHow, { how: words.cardPayment, who: payerOf(payment, words) })
            }
            amount={payment.state === 'held' ? money(payment.amount) : `−${money(payment.amount)}`}
            isPending={payment.state === 'held'}
            hint={[
              payment.heldUntil !== null && fillText(words.heldUntil, { time: time(payment.heldUntil) }),
              payment.isMine && payment.tip > 0 && fillText(words.withTip, { amount: money(payment.tip) }),
              payment.isMine && payment.returned > 0 && fillText(words.goesBack, { amount: money(payment.returned) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        ))}
      </ul>
      <p role="alert" className="text-sm font-medium text-danger">
        {refusal?.text}
      </p>
    </section>
  );
}

interface EntryProps {
  name: string;
  amount: string;
  hint: string | null;
  /** Not counted yet. */
  isPending?: boolean;
  children?: ReactNode;
}

function Entry({ name, amount, hint, isPending = false, children }: EntryProps) {
  return (
    <li className={`flex flex-wrap items-center gap-x-3 text-[0.9375rem]/6 ${isPending ? 'text-muted' : ''}`}>
      <span className="grow py-2 wrap-anywhere first-letter:uppercase">
        {name}
        {hint ? <span className="block text-sm/5 text-muted">{hint}</span> : null}
      </span>
      {children}
      <span className="shrink-0 tabular-nums">{amount}</span>
    </li>
  );
}
