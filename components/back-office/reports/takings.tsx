import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { DayTakings, Takings } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import { DayChart } from './chart';
import { seriesColors } from './chart-parts';
import { Choice } from './choice';
import { FigureName } from './figure-name';
import { type FigureColumn, FigureTable } from './figure-table';

/** The columns of a revenue table. */
export function useTakingsColumns(): FigureColumn<Takings>[] {
  const { money, number } = useFormat();
  return [
    { id: 'sales', header: <FigureName figure="sales" />, cell: ({ sales }) => money(sales) },
    { id: 'topUps', header: <FigureName figure="topUps" />, cell: ({ topUps }) => money(topUps) },
    { id: 'redemptions', header: <FigureName figure="redemptions" />, cell: ({ redemptions }) => money(redemptions) },
    { id: 'discount', header: <FigureName figure="discount" />, cell: ({ discount }) => money(discount) },
    {
      id: 'points',
      header: <FigureName figure="pointsRedeemed" />,
      cell: ({ pointsRedeemed }) => number(pointsRedeemed),
    },
  ];
}

/** `changedAt` as it is sent. */
type ShownDay = Omit<DayTakings, 'changedAt'> & { changedAt: string | null };

const metrics = ['sales', 'topUps', 'redemptions'] as const;

interface TakingsByDayProps {
  title: string;
  days: ShownDay[];
  /** The days compared with, one for each, as far as there are as many. */
  compared?: { name: string; days: ShownDay[] };
}

/** Revenue by day: one metric as a chart, and all metrics in the table below it, the last day first. */
export function TakingsByDay({ title, days, compared }: TakingsByDayProps) {
  const t = useTranslations('reports');
  const figures = useTranslations('figures');
  const { money, moneyShort, shortDate, dateTime } = useFormat();
  const [metric, setMetric] = useState<(typeof metrics)[number]>('sales');
  return (
    <Section
      title={title}
      actions={
        <Choice
          label={t('inChart')}
          value={metric}
          onChange={setMetric}
          options={metrics.map((value) => ({ value, label: figures(`${value}.name`) }))}
        />
      }
    >
      <div className="flex flex-col gap-6">
        <DayChart
          label={t('chartLabel', { title: figures(`${metric}.name`) })}
          rows={days.map((row, at) => ({ ...row, compared: compared?.days[at]?.[metric] }))}
          series={[
            { key: metric, name: figures(`${metric}.name`), color: seriesColors.first },
            ...(compared ? [{ key: 'compared', name: compared.name, color: seriesColors.second, isDashed: true }] : []),
          ]}
          shape="bars"
          format={money}
          formatShort={moneyShort}
        />
        <FigureTable
          cutTo="days"
          caption={title}
          rows={[...days].reverse()}
          rowKey={({ day }) => day}
          columns={[
            {
              id: 'day',
              header: t('day'),
              cell: ({ day, changedAt }) => (
                <>
                  {shortDate(day)}
                  {changedAt === null ? null : (
                    <span className="block text-xs text-muted">{t('changedSince', { time: dateTime(changedAt) })}</span>
                  )}
                </>
              ),
            },
            ...useTakingsColumns(),
          ]}
        />
      </div>
    </Section>
  );
}
