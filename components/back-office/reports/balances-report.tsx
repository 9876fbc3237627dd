import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { CustomerBalance } from '@/server/domain/reports';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { Section } from '../../ui/section';
import { DataList, ExportLink } from '../lists/data-list';
import { OneDay } from '../lists/day-range';
import { parseAsDay, useListState } from '../lists/list-state';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useToday } from '../state/use-merchant-clock';
import { AsOf } from './change';

/** Each customer's balances at the end of a day. */
export function BalancesReport() {
  const t = useTranslations('reports');
  const { calendarDate } = useFormat();
  const today = useToday();
  const { filters, page, setFilters, setPage } = useListState({ day: parseAsDay });
  const day = filters.day ?? today;
  const query = useQuery({
    ...useTRPC().reports.balances.queryOptions({ day, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t('asOf', { day: calendarDate(day) })}
      description={
        <>
          {t('balances.hint')} {query.data?.asOf ? <AsOf at={query.data.asOf} /> : null}
        </>
      }
      actions={
        <>
          <OneDay label={t('balances.day')} day={day} onChange={(chosen) => setFilters({ day: chosen })} />
          <ExportLink isSensitive list="report-balances" filters={{ day }} />
        </>
      }
    >
      <DataList
        caption={t('balances.title')}
        query={query}
        columns={useColumns()}
        rowKey={({ customerId }) => customerId}
        rowHref={({ customerId }) => `/customers/${customerId}`}
        empty={
          <EmptyState icon={Users} title={t('balances.noneTitle')}>
            {t('balances.noneText')}
          </EmptyState>
        }
        isFiltered={false}
        onPage={setPage}
      />
    </Section>
  );
}

function useColumns(): Column<Omit<CustomerBalance, 'joinedAt'> & { joinedAt: string }>[] {
  const t = useTranslations('reports');
  const figures = useTranslations('figures');
  const { money, number, date } = useFormat();
  return [
    {
      id: 'name',
      header: t('balances.customer'),
      cell: ({ name, isErased }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          {name}
          {isErased ? <Badge>{t('balances.erased')}</Badge> : null}
        </span>
      ),
    },
    { id: 'joined', header: t('balances.joined'), wideOnly: true, cell: ({ joinedAt }) => date(joinedAt) },
    {
      id: 'principal',
      header: figures('paidBalance.name'),
      align: 'end',
      cell: ({ principal }) => money(principal),
    },
    { id: 'bonus', header: figures('bonusBalance.name'), align: 'end', cell: ({ bonus }) => money(bonus) },
    {
      id: 'outstanding',
      narrow: 'aside',
      header: figures('outstanding.name'),
      align: 'end',
      cell: ({ principal, bonus }) => money(principal + bonus),
    },
    {
      id: 'points',
      header: figures('outstandingPoints.name'),
      align: 'end',
      cell: ({ points }) => number(points),
    },
  ];
}
