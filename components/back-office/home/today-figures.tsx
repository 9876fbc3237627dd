import { useTranslations } from 'next-intl';
import type { Figures as FiguresOf } from '@/server/domain/reports';
import { Change } from '../reports/change';
import { Figure, Figures } from '../reports/figure';
import { useFormat } from '../state/format';
import { useToday } from '../state/use-merchant-clock';

interface TodayFiguresProps {
  today: FiguresOf;
  lastWeek: FiguresOf;
}

/** Today's figures, compared with the same time last week. Each links to what it counts. */
export function TodayFigures({ today, lastWeek }: TodayFiguresProps) {
  const t = useTranslations('home');
  const words = useTranslations('reports');
  const { money, number } = useFormat();
  const day = useToday();
  const note = (key: 'sales' | 'topUps' | 'redemptions' | 'activeCustomers', count: string | null) => (
    <>
      {count ? <span className="block">{count}</span> : null}
      <Change now={today[key]} before={lastWeek[key]} nothingBefore={t('nothingBefore')} />
    </>
  );
  return (
    <section aria-labelledby="today">
      <div className="mb-3 flex flex-wrap items-baseline gap-x-3">
        <h2 id="today" className="text-lg font-semibold tracking-tight">
          {t('today')}
        </h2>
        <p className="text-sm text-muted">{t('comparedWith')}</p>
      </div>
      <Figures>
        <Figure
          figure="sales"
          href="/reports?report=sales&period=today"
          value={money(today.sales)}
          note={note('sales', words('saleCount', { count: today.saleCount }))}
        />
        <Figure
          figure="topUps"
          href={`/transactions?type=topUp&from=${day}`}
          value={money(today.topUps)}
          note={note('topUps', words('topUpCount', { count: today.topUpCount }))}
        />
        <Figure
          figure="redemptions"
          href={`/transactions?type=redeemStoredValue&from=${day}`}
          value={money(today.redemptions)}
          note={note('redemptions', words('redemptionCount', { count: today.redemptionCount }))}
        />
        <Figure
          figure="activeCustomers"
          href={`/transactions?from=${day}`}
          value={number(today.activeCustomers)}
          note={note('activeCustomers', null)}
        />
      </Figures>
    </section>
  );
}
