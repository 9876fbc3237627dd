import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { DayTakings } from '@/server/domain/reports/sales-report';
import { ButtonLink } from '../../ui/button';
import { Section } from '../../ui/section';
import { useFormat } from '../format';
import { ChartAndTable, DayChart } from '../reports/chart';
import { seriesColors } from '../reports/chart-parts';
import { FigureTable } from '../reports/figure-table';
import { Loaded } from '../reports/loaded';
import { type Metric, MetricPicker } from '../reports/metric-picker';
import { useTRPC } from '../trpc';
import { Outstanding } from './outstanding';
import { refreshMs } from './refresh';
import { TodayFigures } from './today-figures';

/** The figures that owners and managers see, with what needs attention among them. */
export function Overview({ attention }: { attention: ReactNode }) {
  const query = useQuery({ ...useTRPC().home.figures.queryOptions(), refetchInterval: refreshMs });
  return (
    <Loaded query={query}>
      {({ today, lastWeek, outstanding, days, isConnected }) => (
        <>
          {isConnected ? null : <ConnectHint />}
          <TodayFigures today={today} lastWeek={lastWeek} />
          <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
            <Outstanding {...outstanding} />
            {attention}
          </div>
          <Month days={days} />
        </>
      )}
    </Loaded>
  );
}

/** Only until the first till has sent something. */
function ConnectHint() {
  const t = useTranslations('home');
  return (
    <section aria-labelledby="connect" className="flex flex-wrap items-center gap-4 rounded-2xl bg-tint p-5 sm:p-6">
      <div className="min-w-0 grow">
        <h2 id="connect" className="text-lg font-semibold tracking-tight">
          {t('connectTitle')}
        </h2>
        <p className="mt-1 max-w-2xl leading-relaxed">{t('connectText')}</p>
      </div>
      <ButtonLink href="/docs" variant="secondary">
        {t('connectAction')}
      </ButtonLink>
    </section>
  );
}

function Month({ days }: { days: DayTakings[] }) {
  const t = useTranslations('home');
  const words = useTranslations('reports');
  const { money, moneyShort, shortDate } = useFormat();
  const [metric, setMetric] = useState<Metric>('sales');
  return (
    <Section title={t('month')} actions={<MetricPicker value={metric} onChange={setMetric} />}>
      <ChartAndTable
        chart={
          <DayChart
            label={words('chartLabel', { title: words(metric) })}
            rows={days}
            series={[{ key: metric, name: words(metric), color: seriesColors.first }]}
            shape="bars"
            format={money}
            formatShort={moneyShort}
          />
        }
        table={
          <FigureTable
            isTall
            caption={t('month')}
            rows={[...days].reverse()}
            rowKey={({ day }) => day}
            columns={[
              { id: 'day', header: words('day'), cell: ({ day }) => shortDate(day) },
              { id: 'sales', header: words('sales'), cell: ({ sales }) => money(sales) },
              { id: 'topUps', header: words('topUps'), cell: ({ topUps }) => money(topUps) },
              { id: 'redemptions', header: words('redeemed'), cell: ({ redemptions }) => money(redemptions) },
            ]}
          />
        }
      />
    </Section>
  );
}
