import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Takings } from '@/server/domain/reports/sales-report';
import type { ReportInput } from '@/server/domain/reports/schemas';
import { Section } from '../../ui/section';
import { useFormat } from '../format';
import { useTRPC } from '../trpc';
import { ChartAndTable, DayChart } from './chart';
import { seriesColors } from './chart-parts';
import { Figure, Figures } from './figure';
import { type FigureColumn, FigureTable } from './figure-table';
import { Loaded } from './loaded';
import { type Metric, MetricPicker } from './metric-picker';

/** What tills took, and what customers paid with. */
export function SalesReport(filters: ReportInput) {
  const t = useTranslations('reports');
  const { money, moneyShort, number, shortDate } = useFormat();
  const [metric, setMetric] = useState<Metric>('sales');
  const columns = useTakingsColumns();
  const query = useQuery({
    ...useTRPC().reports.sales.queryOptions(filters),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query}>
      {({ days, stores, total }) => (
        <>
          <Figures>
            <Figure label={t('sales')} value={money(total.sales)} note={t('saleCount', { count: total.saleCount })} />
            <Figure
              label={t('topUps')}
              value={money(total.topUps)}
              note={t('topUpCount', { count: total.topUpCount })}
            />
            <Figure
              label={t('redemptions')}
              value={money(total.redemptions)}
              note={t('redemptionCount', { count: total.redemptionCount })}
            />
            <Figure
              label={t('voucherDiscount')}
              value={money(total.discount)}
              note={t('voucherCount', { count: total.voucherCount })}
            />
          </Figures>
          <Section title={t('byDay')} actions={<MetricPicker value={metric} onChange={setMetric} />}>
            <ChartAndTable
              chart={
                <DayChart
                  label={t('chartLabel', { title: t(metric) })}
                  rows={days}
                  series={[{ key: metric, name: t(metric), color: seriesColors.first }]}
                  shape="bars"
                  format={money}
                  formatShort={moneyShort}
                />
              }
              table={
                <FigureTable
                  isTall
                  caption={t('byDay')}
                  rows={[...days].reverse()}
                  rowKey={({ day }) => day}
                  columns={[{ id: 'day', header: t('day'), cell: ({ day }) => shortDate(day) }, ...columns]}
                />
              }
            />
          </Section>
          <Section title={t('byStore')} description={t('voidsHint')}>
            <FigureTable
              caption={t('byStore')}
              rows={stores}
              rowKey={({ storeId }) => storeId}
              total={{ ...total, storeId: '', storeName: t('total') }}
              columns={[
                { id: 'store', header: t('store'), cell: ({ storeName }) => storeName },
                { id: 'saleCount', header: t('saleNumber'), cell: ({ saleCount }) => number(saleCount) },
                ...columns,
              ]}
            />
          </Section>
        </>
      )}
    </Loaded>
  );
}

function useTakingsColumns(): FigureColumn<Takings>[] {
  const t = useTranslations('reports');
  const { money, number } = useFormat();
  return [
    { id: 'sales', header: t('sales'), cell: ({ sales }) => money(sales) },
    { id: 'topUps', header: t('topUps'), cell: ({ topUps }) => money(topUps) },
    { id: 'redemptions', header: t('redemptions'), cell: ({ redemptions }) => money(redemptions) },
    { id: 'discount', header: t('voucherDiscount'), cell: ({ discount }) => money(discount) },
    { id: 'points', header: t('pointsRedeemed'), cell: ({ pointsRedeemed }) => number(pointsRedeemed) },
  ];
}
