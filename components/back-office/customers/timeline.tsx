'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  BadgePercent,
  Banknote,
  Coins,
  History as HistoryIcon,
  Hourglass,
  type LucideIcon,
  ReceiptText,
  SlidersHorizontal,
  Wallet,
  WalletCards,
} from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import { classNames } from '../../ui/class-names';
import { EmptyState } from '../../ui/empty-state';
import { Link } from '../../ui/link';
import { Pages } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import type { LedgerTransaction } from './types';
import { usePages } from './use-pages';

const icons: Record<LedgerTransaction['type'], LucideIcon> = {
  topUp: WalletCards,
  cashOut: Banknote,
  redeemStoredValue: Wallet,
  redeemVoucher: BadgePercent,
  redeemPoints: Coins,
  sale: ReceiptText,
  expiry: Hourglass,
  adjustment: SlidersHorizontal,
};

/** The customer's transactions, newest first, by day. */
export function Timeline({ customerId }: { customerId: string }) {
  const t = useTranslations('customers');
  const { page, setPage } = usePages();
  const { date } = useFormat();
  const { data, error, refetch } = useQuery({
    ...useTRPC().customers.ledger.queryOptions({ customerId, ...page }),
    placeholderData: keepPreviousData,
  });
  if (!data) return <Waiting error={error} refetch={refetch} height="h-72" />;
  if (data.items.length === 0) {
    return (
      <EmptyState icon={HistoryIcon} title={t('noTimelineTitle')}>
        {t('noTimelineText')}
      </EmptyState>
    );
  }
  const days = new Map<string, LedgerTransaction[]>();
  for (const one of data.items.filter(({ isReplaced }) => !isReplaced)) {
    const day = date(one.refunds[0]?.at ?? one.occurredAt);
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return (
    <>
      <div className="rounded-2xl border border-line bg-surface px-5 sm:px-6">
        {[...days].map(([day, transactions]) => (
          <section key={day} aria-label={day} className="border-line py-4 not-first:border-t">
            <h3 className="text-xs font-medium text-muted">{day}</h3>
            <ul>
              {transactions.map((one) => (
                <Entry key={one.uid} one={one} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Pages page={data} onPage={setPage} />
    </>
  );
}

function Entry({ one }: { one: LedgerTransaction }) {
  const t = useTranslations('customers');
  const tTransactions = useTranslations('transactions');
  const { time, dateTime, money, movement } = useFormat();
  const { uid, type, status, storeName, isElsewhere, total, occurredAt, adjustment, voucher, refunds } = one;
  const name = one.isDispute ? t('disputed') : tTransactions(`types.${type}`);
  const Icon = icons[type];
  const isVoided = status === 'voided';
  const details = [
    refunds.length > 0 ? dateTime(occurredAt) : time(occurredAt),
    storeName ? t('atStore', { store: storeName }) : isElsewhere ? t('elsewhere') : null,
    total === null ? null : t('billOf', { amount: money(total) }),
    voucher ? t('voucherUsed', { ...voucher, discount: money(voucher.discount) }) : null,
    adjustment
      ? t('byStaff', { reason: adjustment.isMerge ? t('mergeReason') : adjustment.reason, name: adjustment.by })
      : null,
    one.isDispute && one.moved.principal + one.moved.bonus === 0 ? t('disputedNothingLeft') : null,
  ];
  return (
    <li
      className={classNames(
        'relative -mx-3 flex items-center gap-4 rounded-xl px-3 py-2.5',
        isElsewhere ? null : 'hover:bg-tint/60',
      )}
    >
      <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-tint text-accent">
        <Icon className="size-4.5" aria-hidden="true" />
      </span>
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {isElsewhere ? (
            name
          ) : (
            <Link href={`/transactions/${uid}`} className="rounded after:absolute after:inset-0 after:content-['']">
              {name}
            </Link>
          )}
          {isVoided ? <Badge tone="danger">{t('voided')}</Badge> : null}
        </p>
        <p className="mt-0.5 text-sm text-muted wrap-anywhere">{details.filter(Boolean).join(' · ')}</p>
        {refunds.map(({ at, by, reason, amount }) => (
          <p key={String(at)} className="mt-1 text-sm wrap-anywhere">
            <span className="font-medium text-accent">{t('refundOf', { amount: movement(amount) })}</span>{' '}
            <span className="text-muted">{[dateTime(at), reason, by].filter(Boolean).join(' · ')}</span>
          </p>
        ))}
      </div>
      <Moved one={one} isVoided={isVoided} />
    </li>
  );
}

/** The changes of the balance and, for those that count, the balance after each. */
function Moved({ one: { moved, balance }, isVoided }: { one: LedgerTransaction; isVoided: boolean }) {
  const t = useTranslations('customers');
  const tTransactions = useTranslations('transactions');
  const { movement, money } = useFormat();
  const [value, after] = [moved.principal + moved.bonus, balance.principal + balance.bonus];
  const points = (count: number) => tTransactions('points', { count });
  const lines = [
    { key: 'value', amount: value, text: movement(value), after: money(after) },
    {
      key: 'points',
      amount: moved.points,
      text: `${moved.points > 0 ? '+' : '−'}${points(Math.abs(moved.points))}`,
      after: points(balance.points),
    },
  ];
  return (
    <div className="shrink-0 text-right tabular-nums">
      {lines
        .filter(({ amount }) => amount !== 0)
        .map((line) => (
          <div key={line.key}>
            <p
              className={classNames(
                'font-medium',
                isVoided ? 'text-muted line-through' : line.amount > 0 ? 'text-accent' : null,
              )}
            >
              {line.text}
            </p>
            {isVoided ? null : <p className="text-sm text-muted">{t('balanceAfter', { balance: line.after })}</p>}
          </div>
        ))}
    </div>
  );
}
