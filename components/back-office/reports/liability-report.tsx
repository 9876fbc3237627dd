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
import { FigureTable } from './figure-table';
import { MovementTable } from './movement-table';

/** The merchant's liability to its customers, and its movements. */
export function LiabilityReport(filters: ReportInput) {
  const t = useTranslations('reports');
  const { money, moneyShort, calendarDate, shortDate } = useFormat();
  const query = useQuery({
    ...useTRPC().reports.liability.queryOptions(filters),
    placeholderData: keepPreviousData,
  });
  const series = [
    { key: 'principal', name: t('principal'), color: seriesColors.first },
    { key: 'bonus', name: t('bonus'), color: seriesColors.second },
  ];
  return (
    <Loaded query={query}>
      {({ to, stores, total, days }) => {
        const { principal, bonus } = total;
        const rows = days.map((day) => ({ day: day.day, principal: day.principal.closing, bonus: day.bonus.closing }));
        const note = t('asOf', { day: calendarDate(to) });
        return (
          <>
            <Figures>
              <Figure label={t('outstanding')} value={money(principal.closing + bonus.closing)} note={note} />
              <Figure label={t('principal')} value={money(principal.closing)} note={t('principalHint')} />
              <Figure label={t('bonus')} value={money(bonus.closing)} note={t('bonusHint')} />
              <Figure label={t('redeemed')} value={money(-principal.spent - bonus.spent)} note={t('inPeriod')} />
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
                    isTall
                    caption={t('outstandingByDay')}
                    rows={[...rows].reverse()}
                    rowKey={({ day }) => day}
                    columns={[
                      { id: 'day', header: t('day'), cell: ({ day }) => shortDate(day) },
                      { id: 'principal', header: t('principal'), cell: (row) => money(row.principal) },
                      { id: 'bonus', header: t('bonus'), cell: (row) => money(row.bonus) },
                      { id: 'total', header: t('total'), cell: (row) => money(row.principal + row.bonus) },
                    ]}
                  />
                }
              />
            </Section>
            <Section title={t('byStore')}>
              <MovementTable
                stores={stores}
                total={sum(principal, bonus)}
                granted={t('topUps')}
                partName={(part) => t(part)}
                format={money}
              />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}

function sum<Figures extends object>(a: Figures, b: Figures): Figures {
  const keys = Object.keys(a) as (keyof Figures)[];
  return Object.fromEntries(keys.map((key) => [key, Number(a[key]) + Number(b[key])])) as Figures;
}
