import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import { randomId } from '../../random-id';
import { fillText } from '../../words';
import { Sheet } from '../sheet';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { compareWithOrders } from './ordered';
import { ShareChoice } from './share-choice';
import { type PaymentForm, sumsOf, tooLittleLeft } from './shares';
import { TipChoice } from './tip-choice';
import type { DinerBill } from './types';
import { useTask } from './use-task';

interface PaySheetProps {
  bill: DinerBill;
  table: OpenTable;
  begin: (paymentId: string) => void;
  drop: () => void;
  onChanged: () => void;
  onClose: () => void;
}

/** Lets the diner choose a share and a tip, and leads to Stripe's page. */
export function PaySheet({ bill, table, begin, drop, onChanged, onClose }: PaySheetProps) {
  const { words } = useBillPage();
  const { money } = useSpeech();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setChosen] = useState<PaymentForm>(() => ({
    share: 'all',
    payers: 2,
    units: compareWithOrders(bill, table.orders).mine,
    amount: '',
    tip: 0,
    tipAmount: '',
  }));
  const [isChecked, setChecked] = useState(false);
  const { currency } = table.merchant;
  const { tipPercentages } = table.offers;
  const { amount, tip, rounding } = sumsOf(bill, chosen, { currency, tipPercentages });
  const { isBusy, refusal, pay } = usePay({ begin, drop, onChanged });
  const isWhole = amount !== null && tip !== null;
  const left = amount === null ? 0 : tooLittleLeft(bill, amount, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isWhole) pay({ amount, tip: tip + rounding });
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  return (
    <Sheet
      title={words.payTitle}
      warning={null}
      onClose={onClose}
      footer={
        <div className="sheet-footer flex-wrap">
          <p role="alert" className="w-full text-[0.9375rem]/6 font-medium text-danger empty:hidden">
            {refusal?.text}
          </p>
          {tip ? (
            <p className="flex w-full justify-between gap-4 text-sm text-muted">
              <span>{fillText(words.shareAndTip, { amount: money(amount ?? 0), tip: money(tip) })}</span>
            </p>
          ) : null}
          <button
            type="submit"
            form={formId}
            className="primary-button grow justify-center"
            aria-disabled={isBusy || undefined}
          >
            {isBusy
              ? words.opening
              : isWhole
                ? fillText(words.payAmount, { amount: money(amount + tip + rounding) })
                : words.pay}
          </button>
        </div>
      }
    >
      <form ref={form} id={formId} onSubmit={submit} noValidate className="space-y-6 px-5 pt-2 pb-6 sm:px-6">
        <ShareChoice
          bill={bill}
          currency={currency}
          chosen={chosen}
          onChange={setChosen}
          amount={amount}
          isChecked={isChecked}
        />
        {tipPercentages.length > 0 ? (
          <TipChoice
            percentages={tipPercentages}
            currency={currency}
            chosen={chosen}
            onChange={setChosen}
            amount={amount ?? 0}
            tip={tip}
            isChecked={isChecked}
          />
        ) : null}
        {left > 0 ? <p className="notice-caution">{fillText(words.tooLittleLeft, { amount: money(left) })}</p> : null}
        {rounding > 0 ? (
          <p className="text-sm text-muted">{fillText(words.roundedUp, { amount: money(rounding) })}</p>
        ) : null}
        <p className="text-sm text-muted">{words.cardHint}</p>
      </form>
    </Sheet>
  );
}

/** Holds the amount once per choice, however often it is sent, and opens Stripe's page. */
function usePay({ begin, drop, onChanged }: Pick<PaySheetProps, 'begin' | 'drop' | 'onChanged'>) {
  const { client, guest } = useBillPage();
  const { isBusy, refusal, run } = useTask();
  const [isLeaving, setLeaving] = useState(false);
  const last = useRef({ choice: '', paymentId: '' });
  // After the browser's Back, the page may be in its former state.
  useEffect(() => {
    const stay = () => setLeaving(false);
    addEventListener('pageshow', stay);
    return () => removeEventListener('pageshow', stay);
  }, []);
  const pay = async (choice: { amount: number; tip: number }) => {
    const text = JSON.stringify(choice);
    if (last.current.choice !== text) last.current = { choice: text, paymentId: randomId() };
    const { paymentId } = last.current;
    const refused = await run(async () => {
      begin(paymentId);
      const { guestId, guestName } = guest;
      const payment = { paymentId, guestId, guestName: guestName || undefined, ...choice };
      const { checkoutUrl } = await client.bill.pay.mutate(payment);
      setLeaving(true);
      location.assign(checkoutUrl);
    });
    // Others' payments may be the reason.
    if (refused) onChanged();
    if (!refused?.reason) return;
    last.current = { choice: '', paymentId: '' };
    drop();
  };
  return { isBusy: isBusy || isLeaving, refusal, pay };
}
