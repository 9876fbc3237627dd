import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReportInput } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { useTRPC } from '../shell/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { ChartAndTable, DayChart } from './chart';
import { seriesColors } from './chart-parts';
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
      {({ to, stores, total: { points }, days }) => {
        const rows = days.map((row) => ({
          ...{ day: row.day, earned: row.points.granted, redeemed: -row.points.spent, closing: row.points.closing },
        }));
        return (
          <>
            <Figures>
              <Figure
                figure="outstandingPoints"
                value={number(points.closing)}
                note={t('asOf', { day: calendarDate(to) })}
              />
              <Figure figure="pointsEarned" value={number(points.granted)} note={t('inPeriod')} />
              <Figure figure="pointsRedeemed" value={number(-points.spent)} note={t('inPeriod')} />
              <Figure figure="pointsExpired" value={number(-points.expired)} note={t('inPeriod')} />
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
                    isTall
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
            <Section title={t('byStore')}>
              <MovementTable stores={stores} total={points} figures={movements} format={number} />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}
