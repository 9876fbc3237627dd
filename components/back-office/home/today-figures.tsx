import { useTranslations } from 'next-intl';
import type { Figures as FiguresOf } from '@/server/domain/reports';
import { Change } from '../reports/change';
import { Figure, Figures } from '../reports/figure';
import { type Measure, TakingsFigure } from '../reports/takings-figure';
import { useFormat } from '../state/format';
import { useToday } from '../state/use-merchant-clock';

interface TodayFiguresProps {
  today: FiguresOf;
  lastWeek: FiguresOf;
}

/** Today's figures, compared with the same time last week. Each links to what it counts. */
export function TodayFigures({ today, lastWeek }: TodayFiguresProps) {
  const t = useTranslations('home');
  const { number } = useFormat();
  const day = useToday();
  const change = (key: Exclude<Measure, 'discount'> | 'activeCustomers') => (
    <Change now={today[key]} before={lastWeek[key]} nothingBefore={t('nothingBefore')} />
  );
  const takings = { takings: today, from: day, to: day };
  return (
    <section aria-labelledby="today">
      <div className="mb-3 flex flex-wrap items-baseline gap-x-3">
        <h2 id="today" className="text-lg font-semibold tracking-tight">
          {t('today')}
        </h2>
        <p className="text-sm text-muted">{t('comparedWith')}</p>
      </div>
      <Figures>
        <TakingsFigure measure="sales" {...takings} href="/reports?report=sales&period=today" note={change('sales')} />
        <TakingsFigure measure="topUps" {...takings} note={change('topUps')} />
        <TakingsFigure measure="redemptions" {...takings} note={change('redemptions')} />
        <Figure
          figure="activeCustomers"
          href={`/transactions?from=${day}`}
          value={number(today.activeCustomers)}
          note={change('activeCustomers')}
        />
      </Figures>
    </section>
  );
}
