import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import type { BillStory } from './types';

type Payment = BillStory['payments'][number];

const tones = { held: 'caution', paid: 'good', returned: 'neutral' } as const;

/** What diners paid on their phones, oldest first: by whom, and what went back and why. */
export function BillPayments({ bill: { payments } }: { bill: BillStory }) {
  const t = useTranslations('bills');
  return (
    <Section title={t('payments')}>
      {payments.length === 0 ? (
        <p className="text-sm text-muted">{t('noPayments')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {payments.map((payment) => (
            <PaymentItem key={payment.paymentId} payment={payment} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** A diner's name if given, else the number of their phone at the table. */
function useGuestName() {
  const t = useTranslations('bills');
  return ({ guestName, guestNumber }: Payment) =>
    guestName ?? (guestNumber === null ? t('unknownGuest') : t('guest', { number: guestNumber }));
}

function PaymentItem({ payment }: { payment: Payment }) {
  const t = useTranslations('bills');
  const { money, time } = useFormat();
  const guestName = useGuestName();
  const { state, amount, tip, returned, outstanding, returnedFor, takenAt, returnedAt, createdAt } = payment;
  const isBack = returned > 0 && outstanding === 0;
  return (
    <li className="flex flex-col gap-1.5 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 font-medium wrap-anywhere">{guestName(payment)}</p>
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
      {returned > 0 ? (
        <p className="rounded-lg bg-tint px-3 py-2">
          {isBack && returnedAt
            ? t('returnedAt', { amount: money(returned), time: time(returnedAt) })
            : t(isBack ? 'returned' : 'outstanding', { amount: money(isBack ? returned : outstanding) })}
          {returnedFor ? <span className="block text-muted">{t(`returnedFor.${returnedFor}`)}</span> : null}
        </p>
      ) : null}
    </li>
  );
}
