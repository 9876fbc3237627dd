import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReportInput } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Change, ComparedWith } from './change';
import { ChartAndTable, DayChart } from './chart';
import { seriesColors } from './chart-parts';
import { PointsExpiry } from './credit';
import { Figure, Figures } from './figure';
import { FigureName } from './figure-name';
import { FigureTable } from './figure-table';
import { MovementTable } from './movement-table';

const movements = {
  granted: 'pointsEarned',
  spent: 'pointsRedeemed',
  expired: 'pointsExpired',
  adjusted: 'pointsAdjusted',
} as const;

/** Points earned and redeemed, and customers' points balances. */
export function PointsReport(filters: ReportInput) {
  const t = useTranslations('reports');
  const figures = useTranslations('figures');
  const { number, numberShort, calendarDate, shortDate } = useFormat();
  const query = useQuery({
    ...useTRPC().reports.points.queryOptions(filters),
    placeholderData: keepPreviousData,
  });
  const series = [
    { key: 'earned', name: figures('pointsEarned.name'), color: seriesColors.first },
    { key: 'redeemed', name: figures('pointsRedeemed.name'), color: seriesColors.second },
  ];
  return (
    <Loaded query={query}>
      {({ from, to, asOf, stores, total: { points }, before: { points: before }, days }) => {
        const rows = days.map((row) => ({
          day: row.day,
          earned: row.points.granted,
          redeemed: -row.points.spent,
          closing: row.points.closing,
        }));
        return (
          <>
            <ComparedWith from={from} to={to} compare={filters.compare} asOf={asOf} />
            <Figures>
              <Figure
                figure="outstandingPoints"
                value={number(points.closing)}
                note={
                  <>
                    {t('asOf', { day: calendarDate(to) })}
                    <Change now={points.closing} before={points.opening} />
                  </>
                }
              />
              <Figure
                figure="pointsEarned"
                value={number(points.granted)}
                note={<Change now={points.granted} before={before.granted} />}
              />
              <Figure
                figure="pointsRedeemed"
                value={number(0 - points.spent)}
                note={<Change now={-points.spent} before={-before.spent} />}
              />
              <Figure
                figure="pointsExpired"
                value={number(0 - points.expired)}
                note={<Change now={-points.expired} before={-before.expired} />}
              />
            </Figures>
            <Section title={t('pointsByDay')}>
              <ChartAndTable
                chart={
                  <DayChart
                    label={t('chartLabel', { title: t('pointsByDay') })}
                    rows={rows}
                    series={series}
                    shape="bars"
                    format={number}
                    formatShort={numberShort}
                  />
                }
                table={
                  <FigureTable
                    cutTo="days"
                    caption={t('pointsByDay')}
                    rows={[...rows].reverse()}
                    rowKey={({ day }) => day}
                    columns={[
                      { id: 'day', header: t('day'), cell: ({ day }) => shortDate(day) },
                      { id: 'earned', header: <FigureName figure="pointsEarned" />, cell: (row) => number(row.earned) },
                      {
                        id: 'redeemed',
                        header: <FigureName figure="pointsRedeemed" />,
                        cell: (row) => number(row.redeemed),
                      },
                      {
                        id: 'closing',
                        header: <FigureName figure="outstandingPoints" />,
                        cell: (row) => number(row.closing),
                      },
                    ]}
                  />
                }
              />
            </Section>
            <PointsExpiry />
            <Section title={t('byStore')}>
              <MovementTable stores={stores} total={points} figures={movements} format={number} />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}
