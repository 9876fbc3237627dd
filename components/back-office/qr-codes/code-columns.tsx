import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../state/format';
import { CodeState } from './code-state';
import type { ListedCode } from './types';

export function useCodeColumns(): Column<ListedCode>[] {
  const t = useTranslations('qrCodes');
  const tCommon = useTranslations('common');
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'table',
        header: t('table'),
        cell: ({ table }) => (table === null ? t('noTable') : <TableName table={table} />),
      },
      { id: 'bill', header: t('bill'), cell: ({ billId }) => <span className="font-mono text-xs">{billId}</span> },
      { id: 'status', narrow: 'aside', header: tCommon('status'), cell: ({ status }) => <CodeState status={status} /> },
      {
        id: 'opened',
        header: t('opened'),
        wideOnly: true,
        cell: ({ createdAt }) => <span className="whitespace-nowrap">{format.dateTime(createdAt)}</span>,
      },
      {
        id: 'closed',
        header: t('openUntil'),
        cell: ({ invalidatedAt, expiresAt }) => (
          <span className="sm:whitespace-nowrap">{format.dateTime(invalidatedAt ?? expiresAt)}</span>
        ),
      },
      { id: 'orders', header: t('orders'), align: 'end', cell: ({ orderCount }) => format.number(orderCount) },
      { id: 'ordered', header: t('ordered'), align: 'end', cell: ({ total }) => format.money(total) },
    ],
    [t, tCommon, format],
  );
}

/** On a phone no heading says that this is a table number. */
function TableName({ table }: { table: string }) {
  const t = useTranslations('qrCodes');
  return (
    <>
      <span className="sm:hidden">{t('tableName', { table })}</span>
      <span className="max-sm:hidden">{table}</span>
    </>
  );
}
