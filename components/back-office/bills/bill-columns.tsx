import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { Column } from '../../ui/data-table';
import { usePlace } from '../office/place';
import { useFormat } from '../state/format';
import { BillState } from './bill-state';
import type { ListedBill } from './types';

/** `stores` are named in a list of several; null in a list of one. */
export function useBillColumns(stores: { storeId: string; name: string }[] | null): Column<ListedBill>[] {
  const t = useTranslations('bills');
  const place = usePlace();
  const { money, number, time, dateTime } = useFormat();
  return useMemo(() => {
    const moneyIfAny = (amount: number) => (amount === 0 ? <span className="text-muted">–</span> : money(amount));
    return [
      {
        id: 'table',
        header: t('table'),
        cell: (bill) => (
          <span className="flex flex-col">
            {place(bill)}
            {bill.table === null ? null : <span className="font-mono text-xs text-muted">{bill.billId}</span>}
            {stores ? (
              <span className="text-xs font-normal text-muted">
                {stores.find(({ storeId }) => storeId === bill.storeId)?.name}
              </span>
            ) : null}
          </span>
        ),
      },
      { id: 'state', narrow: 'aside', header: t('state'), cell: (bill) => <BillState bill={bill} /> },
      {
        id: 'guests',
        header: t('guests'),
        align: 'end',
        wideOnly: true,
        cell: ({ guests }) => (guests === null ? '–' : number(guests)),
      },
      {
        id: 'since',
        header: t('since'),
        cell: ({ openedAt, closedAt }) => (
          <span className="whitespace-nowrap">{closedAt === null ? time(openedAt) : dateTime(openedAt)}</span>
        ),
      },
      { id: 'total', header: t('total'), align: 'end', cell: ({ total }) => money(total) },
      { id: 'redeemed', header: t('redeemed'), align: 'end', cell: ({ redeemed }) => moneyIfAny(redeemed) },
      { id: 'paid', header: t('paid'), align: 'end', cell: ({ paid }) => moneyIfAny(paid) },
      {
        id: 'due',
        header: t('due'),
        align: 'end',
        cell: ({ due }) => <span className={due > 0 ? 'font-semibold' : 'text-muted'}>{money(due)}</span>,
      },
      { id: 'tips', header: t('tips'), align: 'end', wideOnly: true, cell: ({ tips }) => moneyIfAny(tips) },
    ];
  }, [t, stores, place, money, number, time, dateTime]);
}
