'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { DataList } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import type { CustomerSale } from './types';
import { usePages } from './use-pages';

/** The customer's bills. */
export function SaleList({ customerId }: { customerId: string }) {
  const t = useTranslations('customers');
  const { page, setPage } = usePages();
  const query = useQuery({
    ...useTRPC().customers.sales.queryOptions({ customerId, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <DataList
      caption={t('sales')}
      query={query}
      columns={useColumns()}
      rowKey={({ uid }) => uid}
      rowHref={({ uid, isElsewhere }) => (isElsewhere ? null : `/transactions/${uid}`)}
      empty={
        <EmptyState icon={ReceiptText} title={t('noSalesTitle')}>
          {t('noSalesText')}
        </EmptyState>
      }
      isFiltered={false}
      onPage={setPage}
    />
  );
}

function useColumns(): Column<CustomerSale>[] {
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const { money, number, dateTime } = useFormat();
  return [
    {
      id: 'time',
      header: t('time'),
      cell: ({ closedAt, status }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          {dateTime(closedAt)}
          {status === 'voided' ? <Badge tone="danger">{t('voided')}</Badge> : null}
        </span>
      ),
    },
    {
      id: 'store',
      narrow: 'bare',
      header: tCommon('store'),
      cell: ({ storeName, isElsewhere }) => (isElsewhere ? t('elsewhere') : storeName),
    },
    {
      id: 'bill',
      header: t('bill'),
      wideOnly: true,
      cell: ({ billId, receiptNumber }) => billId ?? receiptNumber ?? '–',
    },
    {
      id: 'discount',
      header: t('discount'),
      align: 'end',
      cell: ({ discount }) => (discount > 0 ? money(discount) : '–'),
    },
    {
      id: 'pointsEarned',
      header: t('pointsEarned'),
      align: 'end',
      cell: ({ pointsEarned }) => number(pointsEarned),
    },
    { id: 'total', narrow: 'aside', header: t('total'), align: 'end', cell: ({ total }) => money(total) },
  ];
}
