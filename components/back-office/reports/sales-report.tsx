import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReportInput } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Change, ComparedWith } from './change';
import { Figures } from './figure';
import { FigureName } from './figure-name';
import { FigureTable } from './figure-table';
import { SalesBreakdown } from './sales-breakdown';
import { TakingsByDay, useTakingsColumns } from './takings';
import { TakingsFigure } from './takings-figure';

const measures = ['sales', 'topUps', 'redemptions', 'discount'] as const;

/** Revenue of the tills, and payment methods. */
export function SalesReport(filters: ReportInput) {
  const t = useTranslations('reports');
  const { number } = useFormat();
  const columns = useTakingsColumns();
  const query = useQuery({
    ...useTRPC().reports.sales.queryOptions(filters),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query}>
      {({ from, to, asOf, days, stores, total, before, daysBefore }) => (
        <>
          <ComparedWith from={from} to={to} compare={filters.compare} asOf={asOf} />
          <Figures>
            {measures.map((measure) => (
              <TakingsFigure
                key={measure}
                measure={measure}
                takings={total}
                from={from}
                to={to}
                storeId={filters.storeId}
                note={<Change now={total[measure]} before={before[measure]} />}
              />
            ))}
          </Figures>
          <TakingsByDay
            title={t('byDay')}
            days={days}
            compared={{ name: t(`compare.${filters.compare ?? 'before'}`), days: daysBefore }}
          />
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
