import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { StaffRouter } from '@/server/trpc/staff/router';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../format';
import { CodeState } from './code-state';

export type ListedCode = inferRouterOutputs<StaffRouter>['qrCodes']['list']['items'][number];

export function useCodeColumns(): Column<ListedCode>[] {
  const t = useTranslations('qrCodes');
  const tCommon = useTranslations('common');
  const format = useFormat();
  return useMemo(
    () => [
      { id: 'table', header: t('table'), cell: ({ table }) => table ?? t('noTable') },
      { id: 'bill', header: t('bill'), cell: ({ billId }) => <span className="font-mono text-xs">{billId}</span> },
      { id: 'status', header: tCommon('status'), cell: ({ status }) => <CodeState status={status} /> },
      { id: 'opened', header: t('opened'), cell: ({ createdAt }) => format.dateTime(createdAt), wideOnly: true },
      {
        id: 'closed',
        header: t('openUntil'),
        cell: ({ invalidatedAt, expiresAt }) => format.dateTime(invalidatedAt ?? expiresAt),
      },
      { id: 'orders', header: t('orders'), align: 'end', cell: ({ orderCount }) => format.number(orderCount) },
      { id: 'ordered', header: t('ordered'), align: 'end', cell: ({ total }) => format.money(total) },
    ],
    [t, tCommon, format],
  );
}
