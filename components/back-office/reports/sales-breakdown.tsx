import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { ReportInput } from '@/server/domain/reports';
import { breakdownInput } from '@/server/domain/reports/schemas';
import { Section } from '../../ui/section';
import { ExportLink } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Choice } from './choice';
import { FigureName } from './figure-name';
import { FigureTable } from './figure-table';

const dimensions = breakdownInput.shape.by.options;

/** Sales by item, hour, payment method, staff of the tills, or the tax in prices. */
export function SalesBreakdown(filters: ReportInput) {
  const t = useTranslations('reports');
  const { money, number, percent } = useFormat();
  const [by, setBy] = useQueryState('by', parseAsStringLiteral(dimensions).withDefault('item'));
  const input = { ...filters, by };
  const query = useQuery(useTRPC().reports.breakdown.queryOptions(input));
  const title = t(`breakdown.${by}`);
  const nameOf = (key: string, label: string) =>
    by === 'hour'
      ? `${key}:00 – ${key}:59`
      : by === 'tax' && key !== ''
        ? percent(Math.round(Number(key) * 100))
        : by === 'source'
          ? t(`breakdown.sources.${key === 'phone' ? 'phone' : 'staff'}`)
          : label || key || t('breakdown.notSent');
  return (
    <Section
      title={title}
      description={t(`breakdown.hint.${by}`)}
      actions={
        <>
          <Choice
            label={t('breakdown.label')}
            value={by}
            onChange={(next) => void setBy(next)}
            options={dimensions.map((value) => ({ value, label: t(`breakdown.${value}`) }))}
          />
          <ExportLink list="report-breakdown" filters={input} label={t('exportOf', { title })} />
        </>
      }
    >
      <Loaded query={query}>
        {(parts) => {
          const total = parts.reduce((sum, { amount }) => sum + amount, 0);
          if (parts.length === 0) return <p className="text-muted">{t('breakdown.none')}</p>;
          return (
            <FigureTable
              cutTo="rows"
              caption={title}
              rows={parts}
              rowKey={({ key }) => key}
              columns={[
                { id: 'name', header: t(`breakdown.column.${by}`), cell: ({ key, label }) => nameOf(key, label) },
                {
                  id: 'quantity',
                  header: t(
                    by === 'item' ? 'breakdown.quantity' : by === 'payment' ? 'breakdown.payments' : 'breakdown.bills',
                  ),
                  cell: ({ quantity }) => number(quantity),
                },
                {
                  id: 'amount',
                  header: by === 'hour' || by === 'staff' ? <FigureName figure="sales" /> : t('breakdown.amount'),
                  cell: ({ amount }) => money(amount),
                },
                {
                  id: 'share',
                  header: t('breakdown.share'),
                  cell: ({ amount }) => (total > 0 ? percent(Math.round((amount / total) * 1_000) * 10) : '–'),
                },
              ]}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}
