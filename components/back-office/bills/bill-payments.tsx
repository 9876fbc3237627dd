import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Section } from '../../ui/section';
import { useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { RefundDialog, refundableOf } from './refund-dialog';
import { ReleaseButton } from './release-button';
import type { BillStory, StoryPayment } from './types';

const tones = { held: 'caution', paid: 'good', returned: 'neutral' } as const;

/** What diners paid on their phones, oldest first, with the payer, and what was returned and why. */
export function BillPayments({
  billUid,
  payments,
  sales,
  state,
}: Pick<BillStory, 'billUid' | 'payments' | 'sales' | 'state'>) {
  const t = useTranslations('bills');
  const { data: disputes = [] } = useQuery(useTRPC().disputes.of.queryOptions({ billUid }));
  // The bank has the money or may take it: a refund on top would pay it back twice, and Stripe refuses it.
  const disputed = new Set(disputes.flatMap(({ paymentId, status }) => (status === 'won' ? [] : [paymentId])));
  const nameOf = useGuestName();
  const [refundedId, setRefundedId] = useState<string | null>(null);
  const isClosed = state === 'closed';
  const pointsEarned = isClosed ? sales.reduce((sum, sale) => sum + sale.pointsEarned - sale.pointsTaken, 0) : 0;
  const refunded = payments.find(({ paymentId }) => paymentId === refundedId);
  return (
    <Section title={t('payments')}>
      {payments.length === 0 ? (
        <p className="text-sm text-muted">{t('noPayments')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {payments.map((payment) => (
            <PaymentItem
              key={payment.paymentId}
              payment={payment}
              isDisputed={disputed.has(payment.paymentId)}
              guestName={nameOf(payment)}
              onRefund={() => setRefundedId(payment.paymentId)}
            />
          ))}
        </ul>
      )}
      {refunded ? (
        <RefundDialog
          payment={refunded}
          guestName={nameOf(refunded)}
          pointsEarned={pointsEarned}
          onClose={() => setRefundedId(null)}
        />
      ) : null}
    </Section>
  );
}

/** A diner's name if given, otherwise the number of their phone at the table. */
function useGuestName() {
  const t = useTranslations('bills');
  return ({ guestName, guestNumber }: StoryPayment) =>
    guestName ?? (guestNumber === null ? t('unknownGuest') : t('guest', { number: guestNumber }));
}

interface PaymentItemProps {
  payment: StoryPayment;
  isDisputed: boolean;
  guestName: string;
  onRefund: () => void;
}

function PaymentItem({ payment, isDisputed, guestName, onRefund }: PaymentItemProps) {
  const t = useTranslations('bills');
  const { money, time } = useFormat();
  const isManager = useIsRole('owner', 'manager');
  const { state, amount, tip, takenAt, createdAt } = payment;
  return (
    <li className="flex flex-col gap-1.5 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 font-medium wrap-anywhere">{guestName}</p>
        <Badge tone={tones[state]}>{t(`paymentStates.${state}`)}</Badge>
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-1">
        <span className="text-muted">
          {takenAt ? t('paidAt', { time: time(takenAt) }) : t('startedAt', { time: time(createdAt) })}
        </span>
        <span className="tabular-nums">
          {tip > 0 ? t('withTip', { amount: money(amount), tip: money(tip) }) : money(amount)}
        </span>
      </p>
      <Returned payment={payment} />
      {state === 'held' ? <ReleaseButton payment={payment} guestName={guestName} /> : null}
      {isDisputed ? <p className="text-muted">{t('disputedPayment')}</p> : null}
      {isManager && !isDisputed && refundableOf(payment) > 0 ? (
        <div className="flex justify-end">
          <Button variant="secondary" size="small" onClick={onRefund}>
            {t('refund')}
            <span className="sr-only"> {guestName}</span>
          </Button>
        </div>
      ) : null}
    </li>
  );
}

/** The part of a payment that was returned or is about to be, and why. */
function Returned({
  payment: { returned, outstanding, returnedFor, returnedAt, refundRefusedAt },
}: {
  payment: StoryPayment;
}) {
  const t = useTranslations('bills');
  const { money, time } = useFormat();
  if (returned === 0) return null;
  const back = returned - outstanding;
  return (
    <div className="rounded-lg bg-tint px-3 py-2">
      {back > 0 ? (
        <p>
          {returnedAt
            ? t('returnedAt', { amount: money(back), time: time(returnedAt) })
            : t('returned', { amount: money(back) })}
        </p>
      ) : null}
      {outstanding > 0 ? <p>{t('outstanding', { amount: money(outstanding) })}</p> : null}
      {returnedFor ? <p className="text-muted">{t(`returnedFor.${returnedFor}`)}</p> : null}
      {outstanding > 0 && refundRefusedAt ? (
        <p className="font-medium text-danger">{t('refundRefused', { time: time(refundRefusedAt) })}</p>
      ) : null}
    </div>
  );
}
