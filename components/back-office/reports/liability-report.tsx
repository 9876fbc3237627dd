import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReportInput } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Change, ComparedWith } from './change';
import { ChartAndTable, DayChart } from './chart';
import { seriesColors } from './chart-parts';
import { StoredValueCredit } from './credit';
import { Figure, Figures } from './figure';
import { FigureName } from './figure-name';
import { FigureTable } from './figure-table';
import { MovementTable } from './movement-table';

const movements = {
  granted: 'valueAdded',
  spent: 'redemptions',
  expired: 'valueExpired',
  adjusted: 'valueAdjusted',
} as const;

/** The merchant's liability to its customers, and its movements. */
export function LiabilityReport(filters: ReportInput) {
  const t = useTranslations('reports');
  const figures = useTranslations('figures');
  const isGeneral = useIsGeneralManager();
  const { money, moneyShort, calendarDate, shortDate } = useFormat();
  const query = useQuery({
    ...useTRPC().reports.liability.queryOptions(filters),
    placeholderData: keepPreviousData,
  });
  const series = [
    { key: 'principal', name: figures('paidBalance.name'), color: seriesColors.first },
    { key: 'bonus', name: figures('bonusBalance.name'), color: seriesColors.second },
  ];
  return (
    <Loaded query={query}>
      {({ from, to, asOf, stores, total, before, days }) => {
        const { principal, bonus } = total;
        const rows = days.map((day) => ({ day: day.day, principal: day.principal.closing, bonus: day.bonus.closing }));
        const atEnd = (opening: number, closing: number) => (
          <>
            {t('asOf', { day: calendarDate(to) })}
            <Change now={closing} before={opening} />
          </>
        );
        return (
          <>
            <ComparedWith from={from} to={to} compare={filters.compare} asOf={asOf} />
            <Figures>
              <Figure
                figure="outstanding"
                value={money(principal.closing + bonus.closing)}
                note={atEnd(principal.opening + bonus.opening, principal.closing + bonus.closing)}
              />
              <Figure
                figure="paidBalance"
                value={money(principal.closing)}
                note={atEnd(principal.opening, principal.closing)}
              />
              <Figure figure="bonusBalance" value={money(bonus.closing)} note={atEnd(bonus.opening, bonus.closing)} />
              <Figure
                figure="redemptions"
                value={money(redeemedOf(total))}
                note={<Change now={redeemedOf(total)} before={redeemedOf(before)} />}
              />
            </Figures>
            <Section title={t('outstandingByDay')}>
              <ChartAndTable
                chart={
                  <DayChart
                    label={t('chartLabel', { title: t('outstandingByDay') })}
                    rows={rows}
                    series={series}
                    shape="areas"
                    format={money}
                    formatShort={moneyShort}
                  />
                }
                table={
                  <FigureTable
                    cutTo="days"
                    caption={t('outstandingByDay')}
                    rows={[...rows].reverse()}
                    rowKey={({ day }) => day}
                    columns={[
                      { id: 'day', header: t('day'), cell: ({ day }) => shortDate(day) },
                      {
                        id: 'principal',
                        header: <FigureName figure="paidBalance" />,
                        cell: (row) => money(row.principal),
                      },
                      { id: 'bonus', header: <FigureName figure="bonusBalance" />, cell: (row) => money(row.bonus) },
                      {
                        id: 'total',
                        header: <FigureName figure="outstanding" />,
                        cell: (row) => money(row.principal + row.bonus),
                      },
                    ]}
                  />
                }
              />
            </Section>
            {isGeneral ? <StoredValueCredit /> : null}
            <Section title={t('byStore')}>
              <MovementTable
                stores={stores}
                total={sum(principal, bonus)}
                figures={movements}
                partName={(part) => figures(part === 'principal' ? 'paidBalance.name' : 'bonusBalance.name')}
                format={money}
              />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}

const redeemedOf = ({ principal, bonus }: Record<'principal' | 'bonus', { spent: number }>) =>
  0 - principal.spent - bonus.spent;

function sum<Figures extends object>(a: Figures, b: Figures): Figures {
  const keys = Object.keys(a) as (keyof Figures)[];
  return Object.fromEntries(keys.map((key) => [key, Number(a[key]) + Number(b[key])])) as Figures;
}
