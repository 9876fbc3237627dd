import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names';
import { useFormat } from '../state/format';
import { useMerchantClock } from '../state/use-merchant-clock';
import type { CustomerDetail } from './types';

const maxExpiries = 3;
const soonMs = 30 * 24 * 60 * 60_000;

/** The customer's current balances, and what expires next. */
export function Holdings({ detail }: { detail: CustomerDetail }) {
  const { storedValue, points, vouchers, topUpsInProgress } = detail;
  const t = useTranslations('customers');
  const { money, number, businessDate } = useFormat();
  const clock = useMerchantClock();
  const { balance, principal, bonus } = storedValue;
  const expiring = [
    ...storedValue.expiring.map(({ amount, expiresAt }) => ({
      expiresAt,
      what: t('expiringBonus', { amount: money(amount) }),
    })),
    ...points.expiring.map(({ points: count, expiresAt }) => ({ expiresAt, what: t('pointCount', { count }) })),
  ]
    .sort((a, b) => a.expiresAt.localeCompare(b.expiresAt))
    .slice(0, maxExpiries);
  const isSoon = expiring[0] !== undefined && Date.parse(expiring[0].expiresAt) - clock().getTime() < soonMs;
  return (
    <section aria-label={t('holds')} className="overflow-hidden rounded-2xl border border-line bg-surface">
      <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3">
        <Figure term={t('storedValue')} value={money(balance)}>
          {balance === 0
            ? t('nothingHeld')
            : bonus === 0
              ? t('allPaid')
              : t('paidAndBonus', { principal: money(principal), bonus: money(bonus) })}
        </Figure>
        <Figure term={t('points')} value={number(points.balance)}>
          {points.owed > 0
            ? t('pointsOwed', { count: points.owed })
            : points.balance > 0
              ? t('worth', { amount: money(points.worth) })
              : t('nothingHeld')}
        </Figure>
        <Figure term={t('vouchers')} value={number(vouchers.length)}>
          {vouchers.length > 0 ? t('readyToUse') : t('noVouchersTitle')}
        </Figure>
      </dl>
      {topUpsInProgress.length > 0 ? <InProgress topUps={topUpsInProgress} /> : null}
      {expiring.length > 0 ? (
        <div
          className={classNames(
            'flex flex-wrap gap-x-5 gap-y-1 border-t border-line px-5 py-3 text-sm sm:px-6',
            isSoon ? 'bg-caution-tint text-caution' : 'text-muted',
          )}
        >
          <span className="font-medium">{t('expiring')}</span>
          <ul className="flex flex-wrap gap-x-5 gap-y-1">
            {expiring.map(({ expiresAt, what }) => (
              <li key={`${expiresAt} ${what}`}>
                {what} {t('expiringOn', { date: businessDate(expiresAt) })}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}

/** Card top-ups that wait for a bank. */
function InProgress({ topUps }: { topUps: CustomerDetail['topUpsInProgress'] }) {
  const t = useTranslations('customers');
  const { money, dateTime } = useFormat();
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line px-5 py-3 text-sm sm:px-6">
      <span className="font-medium">{t('inProgress')}</span>
      <ul className="flex flex-col gap-1">
        {topUps.map(({ amount, bonus, startedAt, endsBy }) => (
          <li key={startedAt}>
            {endsBy === null
              ? t('inProgressOpen', { amount: money(amount + bonus) })
              : t('inProgressUntil', { amount: money(amount + bonus), time: dateTime(endsBy) })}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Figure({ term, value, children }: { term: string; value: string; children: ReactNode }) {
  return (
    <div className="bg-surface p-5 max-sm:first:col-span-2 sm:p-6">
      <dt className="text-sm text-muted">{term}</dt>
      <dd>
        <span className="mt-1 block text-3xl font-semibold tracking-tight tabular-nums">{value}</span>
        <span className="mt-1.5 block text-sm text-muted">{children}</span>
      </dd>
    </div>
  );
}
