import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { CreditReport } from '@/server/domain/reports';
import { Section } from '../../ui/section';
import { ExportLink } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { FigureName } from './figure-name';
import { type FigureColumn, FigureTable } from './figure-table';

/** What customers hold now, by age and by the month of expiry. */
export function StoredValueCredit() {
  const t = useTranslations('reports');
  const { money } = useFormat();
  const query = useQuery(useTRPC().reports.credit.queryOptions());
  const columns: FigureColumn<{ principal: number; bonus: number }>[] = [
    { id: 'principal', header: <FigureName figure="paidBalance" />, cell: ({ principal }) => money(principal) },
    { id: 'bonus', header: <FigureName figure="bonusBalance" />, cell: ({ bonus }) => money(bonus) },
    { id: 'total', header: <FigureName figure="outstanding" />, cell: (row) => money(row.principal + row.bonus) },
  ];
  return (
    <div className="grid grid-cols-1 gap-5 xl:grid-cols-2">
      <Section
        title={t('credit.byAge')}
        description={t('credit.byAgeHint')}
        actions={
          <ExportLink list="report-credit" filters={{}} label={t('exportOf', { title: t('credit.ageAndExpiry') })} />
        }
      >
        <Loaded query={query}>
          {({ ages }) => (
            <FigureTable
              caption={t('credit.byAge')}
              rows={ages}
              rowKey={({ from }) => `${from}`}
              columns={[
                {
                  id: 'age',
                  header: t('credit.age'),
                  cell: ({ from, until }) =>
                    until === null ? t('credit.older', { days: from - 1 }) : t('credit.days', { from, until }),
                },
                ...columns,
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Expiry title={t('credit.bonusExpiry')} query={query} print={({ bonus }) => money(bonus)} />
    </div>
  );
}

/** The points that expire in each of the next twelve months. */
export function PointsExpiry() {
  const t = useTranslations('reports');
  const { number } = useFormat();
  const query = useQuery(useTRPC().reports.credit.queryOptions());
  return <Expiry title={t('credit.pointsExpiry')} query={query} print={({ points }) => number(points)} />;
}

interface ExpiryProps {
  title: string;
  query: Parameters<typeof Loaded<CreditReport>>[0]['query'];
  print: (sums: CreditReport['never']) => string;
}

function Expiry({ title, query, print }: ExpiryProps) {
  const t = useTranslations('reports');
  const { monthOf } = useFormat();
  return (
    <Section title={title} description={t('credit.expiryHint')}>
      <Loaded query={query}>
        {({ months, later, never }) => (
          <FigureTable
            cutTo="rows"
            caption={title}
            rows={[
              ...months.map(({ month, ...sums }) => ({ name: monthOf(month), ...sums })),
              { name: t('credit.later'), ...later },
              { name: t('credit.never'), ...never },
            ]}
            rowKey={({ name }) => name}
            columns={[
              { id: 'month', header: t('credit.month'), cell: ({ name }) => name },
              { id: 'value', header: t('credit.expires'), cell: print },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
