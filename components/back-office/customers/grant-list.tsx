'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { WalletCards } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { DataList } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import type { Lot } from './types';
import { usePages } from './use-pages';

/** Credits with value remaining, and their expiry. */
export function GrantList({ customerId }: { customerId: string }) {
  const t = useTranslations('customers');
  const { page, setPage } = usePages();
  const query = useQuery({
    ...useTRPC().customers.lots.queryOptions({ customerId, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <DataList
      caption={t('grants')}
      query={query}
      columns={useColumns()}
      rowKey={({ lotId }) => lotId}
      rowHref={({ transactionUid }) => (transactionUid === null ? null : `/transactions/${transactionUid}`)}
      empty={
        <EmptyState icon={WalletCards} title={t('noGrantsTitle')}>
          {t('noGrantsText')}
        </EmptyState>
      }
      isFiltered={false}
      onPage={setPage}
    />
  );
}

function useColumns(): Column<Lot>[] {
  const t = useTranslations('customers');
  const tTransactions = useTranslations('transactions');
  const { money, date, businessDate } = useFormat();
  const amount = (part: Lot['part'], value: number) =>
    part === 'points' ? t('pointCount', { count: value }) : money(value);
  return [
    {
      id: 'grantedBy',
      header: t('grantedBy'),
      cell: ({ type, storeName, isElsewhere, createdAt }) => (
        <>
          {tTransactions(`types.${type}`)}
          <span className="block text-sm font-normal text-muted">
            {[date(createdAt), isElsewhere ? t('elsewhere') : storeName].filter(Boolean).join(' · ')}
          </span>
        </>
      ),
    },
    { id: 'part', narrow: 'bare', header: t('part'), cell: ({ part }) => tTransactions(`parts.${part}`) },
    { id: 'granted', header: t('granted'), align: 'end', cell: ({ part, granted }) => amount(part, granted) },
    { id: 'remaining', header: t('remaining'), align: 'end', cell: ({ part, remaining }) => amount(part, remaining) },
    {
      id: 'expires',
      header: t('expires'),
      cell: ({ expiresAt, isExpired }) =>
        isExpired ? <Badge tone="caution">{t('expired')}</Badge> : expiresAt ? businessDate(expiresAt) : t('noEnd'),
    },
  ];
}
