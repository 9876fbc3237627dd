'use client';

import { useTranslations } from 'next-intl';
import { useFormat } from '../state/format';
import type { Campaign } from './types';

/** A campaign's vouchers by state: figures, and bars of their shares. */
export function Funnel({ funnel }: Pick<Campaign, 'funnel'>) {
  const t = useTranslations('vouchers');
  const { number, money } = useFormat();
  const { issued, redeemed, expired, cancelled, discount } = funnel;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-3 lg:grid-cols-5">
      <Figure term={t('issued')} value={number(issued)} />
      <Figure term={t('redeemed')} value={number(redeemed)} count={redeemed} of={issued} />
      <Figure term={t('expired')} value={number(expired)} count={expired} of={issued} />
      <Figure term={t('cancelled')} value={number(cancelled)} count={cancelled} of={issued} />
      <Figure term={t('discountGiven')} value={money(discount)} isLast />
    </dl>
  );
}

interface FigureProps {
  term: string;
  value: string;
  /** With `of`, the two numbers from which a share is calculated. */
  count?: number;
  of?: number;
  isLast?: boolean;
}

function Figure({ term, value, count, of = 0, isLast = false }: FigureProps) {
  const { percent } = useFormat();
  const share = count === undefined || of === 0 ? null : Math.round((count / of) * 10_000);
  return (
    <div className={`bg-surface p-5 ${isLast ? 'max-lg:col-span-2' : ''}`}>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-1 text-2xl font-semibold tracking-tight tabular-nums wrap-anywhere">{value}</dd>
      {share === null ? null : (
        <dd className="mt-3 flex items-center gap-2 text-sm text-muted tabular-nums">
          <span className="h-1.5 grow overflow-hidden rounded-full bg-tint" aria-hidden="true">
            <span className="block h-full rounded-full bg-accent" style={{ width: `${share / 100}%` }} />
          </span>
          {percent(Math.round(share / 100) * 100)}
        </dd>
      )}
    </div>
  );
}
