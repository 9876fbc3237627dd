import { type ReactNode, useEffect, useRef } from 'react';
import { fillText } from '../../words';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import type { FollowedPayment } from './use-payment';
import { useTask } from './use-task';

interface PaymentNoticeProps {
  payment: FollowedPayment;
  show: (payment: FollowedPayment) => void;
  onChanged: () => void;
}

/** This phone's payment: unfinished, being checked, or its outcome. */
export function PaymentNotice({ payment, show, onChanged }: PaymentNoticeProps) {
  const { words, client, guest } = useBillPage();
  const { money, time } = useSpeech();
  const { isBusy, refusal, run } = useTask();
  const { paymentId, state, amount, tip, returned, checkoutUrl, heldUntil } = payment;
  const values = { amount: money(amount + tip), returned: money(returned), time: heldUntil ? time(heldUntil) : '' };
  const cancel = () =>
    run(async () => {
      const now = await client.bill.cancelPayment.mutate({ paymentId, guestId: guest.guestId });
      show({ ...now, paymentId });
    }).then(onChanged);
  switch (state) {
    case 'open':
      return (
        <Notice key={state} title={words.heldTitle} look="notice-caution" text={fillText(words.heldText, values)}>
          <div className="mt-3 flex flex-wrap gap-3">
            {checkoutUrl ? (
              <a href={checkoutUrl} className="primary-button">
                {words.continuePaying}
              </a>
            ) : null}
            <button
              type="button"
              className="quiet-button text-ink"
              aria-disabled={isBusy || undefined}
              onClick={cancel}
            >
              {words.cancelPayment}
            </button>
          </div>
          <p role="alert" className="text-sm font-medium text-danger">
            {refusal?.text}
          </p>
        </Notice>
      );
    case 'processing':
      return (
        <Notice key={state} title={words.processingTitle} look="rounded-xl bg-tint p-4" text={words.processingText} />
      );
    case 'paid':
      return (
        <Notice
          key={state}
          title={fillText(returned > 0 ? words.partReturnedOutcome : words.paidOutcome, values)}
          look="notice-good"
        />
      );
    case 'returned':
      return (
        <Notice
          key={state}
          title={fillText(words.returnedOutcome, { amount: money(returned || amount + tip) })}
          look="notice-caution"
        />
      );
    case 'ended':
      return <Notice key={state} title={words.cancelledOutcome} look="notice-caution" />;
  }
}

interface NoticeProps {
  title: string;
  look: string;
  text?: string;
  children?: ReactNode;
}

/** It gets the focus when it appears, because the diner returns from another page or the pressed button is gone. */
function Notice({ title, look, text, children }: NoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={look}>
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {title}
      </h3>
      {text ? <p className="text-[0.9375rem]/6 font-normal">{text}</p> : null}
      {children}
    </section>
  );
}
