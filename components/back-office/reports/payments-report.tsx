import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CreditCard } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReportInput } from '@/server/domain/reports';
import { EmptyState } from '../../ui/empty-state';
import { Section } from '../../ui/section';
import { ExportLink } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Change, ComparedWith } from './change';
import { ChartAndTable, DayChart } from './chart';
import { seriesColors } from './chart-parts';
import { Figure, Figures } from './figure';
import { FigureName } from './figure-name';
import { type FigureColumn, FigureTable } from './figure-table';

interface Sums {
  paymentCount: number;
  payments: number;
  tips: number;
  returned: number;
}

/** Card payments and tips of diners at their tables. */
export function PaymentsReport(filters: ReportInput) {
  const t = useTranslations('reports');
  const figures = useTranslations('figures');
  const { money, moneyShort, shortDate } = useFormat();
  const columns = usePaymentColumns();
  const query = useQuery({
    ...useTRPC().reports.payments.queryOptions(filters),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query}>
      {({ from, to, asOf, days, stores, total, before }) => (
        <>
          <ComparedWith from={from} to={to} compare={filters.compare} asOf={asOf} />
          <Figures>
            <Figure
              figure="cardPayments"
              value={money(total.payments)}
              note={
                <>
                  {t('tablePayments.count', { count: total.paymentCount })}
                  <Change now={total.payments} before={before.payments} />
                </>
              }
            />
            <Figure figure="tips" value={money(total.tips)} note={<Change now={total.tips} before={before.tips} />} />
            <Figure figure="cardReturned" value={money(total.returned)} />
          </Figures>
          {stores.length === 0 ? (
            <EmptyState icon={CreditCard} title={t('tablePayments.noneTitle')}>
              {t('tablePayments.noneText')}
            </EmptyState>
          ) : (
            <>
              <Section
                title={t('byDay')}
                description={t('tablePayments.hint')}
                actions={
                  <ExportLink
                    list="bill-payments"
                    filters={{ storeId: filters.storeId, from, until: to }}
                    label={t('exportOf', { title: t('tablePayments.each') })}
                  />
                }
              >
                <ChartAndTable
                  chart={
                    <DayChart
                      label={t('chartLabel', { title: figures('cardPayments.name') })}
                      rows={days}
                      series={[
                        { key: 'payments', name: figures('cardPayments.name'), color: seriesColors.first },
                        { key: 'tips', name: figures('tips.name'), color: seriesColors.second },
                      ]}
                      shape="bars"
                      format={money}
                      formatShort={moneyShort}
                    />
                  }
                  table={
                    <FigureTable
                      cutTo="days"
                      caption={t('byDay')}
                      rows={[...days].reverse()}
                      rowKey={({ day }) => day}
                      columns={[{ id: 'day', header: t('day'), cell: ({ day }) => shortDate(day) }, ...columns]}
                    />
                  }
                />
              </Section>
              <Section title={t('byStore')}>
                <FigureTable
                  caption={t('byStore')}
                  rows={stores}
                  rowKey={({ storeId }) => storeId}
                  total={{ ...total, storeId: '', storeName: t('total') }}
                  columns={[{ id: 'store', header: t('store'), cell: ({ storeName }) => storeName }, ...columns]}
                />
              </Section>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

function usePaymentColumns(): FigureColumn<Sums>[] {
  const { money } = useFormat();
  return [
    { id: 'payments', header: <FigureName figure="cardPayments" />, cell: ({ payments }) => money(payments) },
    { id: 'tips', header: <FigureName figure="tips" />, cell: ({ tips }) => money(tips) },
    { id: 'returned', header: <FigureName figure="cardReturned" />, cell: ({ returned }) => money(returned) },
  ];
}
