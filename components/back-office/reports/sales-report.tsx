import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReportInput } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Change, ComparedWith } from './change';
import { Figure, Figures } from './figure';
import { FigureName } from './figure-name';
import { FigureTable } from './figure-table';
import { SalesBreakdown } from './sales-breakdown';
import { TakingsByDay, useTakingsColumns } from './takings';

/** Revenue of the tills, and payment methods. */
export function SalesReport(filters: ReportInput) {
  const t = useTranslations('reports');
  const { money, number } = useFormat();
  const columns = useTakingsColumns();
  const query = useQuery({
    ...useTRPC().reports.sales.queryOptions(filters),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query}>
      {({ from, to, asOf, days, stores, total, before }) => (
        <>
          <ComparedWith from={from} to={to} asOf={asOf} />
          <Figures>
            <Figure
              figure="sales"
              value={money(total.sales)}
              note={
                <>
                  {t('saleCount', { count: total.saleCount })}
                  <Change now={total.sales} before={before.sales} />
                </>
              }
            />
            <Figure
              figure="topUps"
              value={money(total.topUps)}
              note={
                <>
                  {t('topUpCount', { count: total.topUpCount })}
                  <Change now={total.topUps} before={before.topUps} />
                </>
              }
            />
            <Figure
              figure="redemptions"
              value={money(total.redemptions)}
              note={
                <>
                  {t('redemptionCount', { count: total.redemptionCount })}
                  <Change now={total.redemptions} before={before.redemptions} />
                </>
              }
            />
            <Figure
              figure="discount"
              value={money(total.discount)}
              note={
                <>
                  {t('voucherCount', { count: total.voucherCount })}
                  <Change now={total.discount} before={before.discount} />
                </>
              }
            />
          </Figures>
          <TakingsByDay title={t('byDay')} days={days} />
          <SalesBreakdown {...filters} />
          <Section title={t('byStore')} description={t('voidsHint')}>
            <FigureTable
              caption={t('byStore')}
              rows={stores}
              rowKey={({ storeId }) => `${storeId}`}
              total={{ ...total, storeId: null, storeName: t('total') }}
              columns={[
                { id: 'store', header: t('store'), cell: ({ storeName }) => storeName ?? t('online') },
                {
                  id: 'saleCount',
                  header: <FigureName figure="saleCount" />,
                  cell: ({ saleCount }) => number(saleCount),
                },
                ...columns,
              ]}
            />
          </Section>
        </>
      )}
    </Loaded>
  );
}
