import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useRef } from 'react';
import type { ReportInput, ShownPart } from '@/server/domain/reports';
import { breakdownInput } from '@/server/domain/reports/schemas';
import { classNames } from '../../ui/class-names';
import { Section } from '../../ui/section';
import { ExportLink } from '../lists/data-list';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { BusyHours } from './busy-hours';
import { Change } from './change';
import { DayChart } from './chart';
import { seriesColors } from './chart-parts';
import { Choice } from './choice';
import { FigureTable } from './figure-table';
import { hoursOfDay } from './hours';
import { PartByDay } from './sales-part';
import { SparkLine } from './spark-line';
import { usePartName } from './use-part-name';

const dimensions = breakdownInput.shape.by.options;
type Row = ShownPart & { isRest?: boolean };

/** Sales by item, hour, payment method and so on. A part can be chosen, to see it by day. */
export function SalesBreakdown(filters: ReportInput) {
  const t = useTranslations('reports');
  const [{ by, part }, setState] = useQueryStates({
    by: parseAsStringLiteral(dimensions).withDefault('item'),
    part: parseAsString,
  });
  const top = useRef<HTMLDivElement>(null);
  const nameOf = usePartName(by);
  const input = { ...filters, by };
  const query = useQuery(useTRPC().reports.breakdown.queryOptions(input));
  const title = t(`breakdown.${by}`);
  const choose = (key: string | null) => {
    void setState({ part: key });
    top.current?.scrollIntoView({ block: 'nearest' });
  };
  const chosen = query.data?.parts.find(({ key }) => key === part);
  return (
    <>
      <div ref={top} className="scroll-mt-20 empty:hidden">
        {part === null ? null : (
          <PartByDay
            part={{ ...input, key: part }}
            name={nameOf(chosen ?? { key: part, label: '' })}
            onClear={() => choose(null)}
          />
        )}
      </div>
      <Section
        title={title}
        description={t(`breakdown.hint.${by}`)}
        actions={
          <>
            <Choice
              label={t('breakdown.label')}
              value={by}
              onChange={(next) => void setState({ by: next, part: null })}
              options={dimensions.map((value) => ({ value, label: t(`breakdown.${value}`) }))}
            />
            <ExportLink list="report-breakdown" filters={input} label={t('exportOf', { title })} />
          </>
        }
      >
        <Loaded query={query}>
          {({ parts, rest }) =>
            parts.length === 0 ? (
              <p className="text-muted">{t('breakdown.none')}</p>
            ) : (
              <>
                {by === 'hour' ? <HourChart title={title} parts={parts} compare={filters.compare ?? 'before'} /> : null}
                <PartTable title={title} by={by} parts={parts} rest={rest} chosen={part} onChoose={choose} />
              </>
            )
          }
        </Loaded>
      </Section>
      {by === 'hour' ? <BusyHours {...filters} /> : null}
    </>
  );
}

interface PartTableProps {
  title: string;
  by: (typeof dimensions)[number];
  parts: ShownPart[];
  rest: { count: number; quantity: number; amount: number } | null;
  chosen: string | null;
  onChoose: (key: string | null) => void;
}

function PartTable({ title, by, parts, rest, chosen, onChoose }: PartTableProps) {
  const t = useTranslations('reports');
  const { money, number, percent } = useFormat();
  const nameOf = usePartName(by);
  const total = parts.reduce((sum, { amount }) => sum + amount, rest?.amount ?? 0);
  const largest = Math.max(1, ...parts.map(({ amount }) => amount));
  const restName = rest ? t('breakdown.rest', { count: rest.count }) : '';
  const rows: Row[] = rest
    ? [...parts, { key: '', label: restName, isRest: true, before: 0, line: [], ...rest }]
    : parts;
  return (
    <FigureTable
      cutTo="rows"
      caption={title}
      rows={rows}
      rowKey={({ key, isRest }) => `${isRest} ${key}`}
      columns={[
        {
          id: 'name',
          header: t(`breakdown.column.${by}`),
          cell: (row) =>
            row.isRest ? (
              row.label
            ) : (
              <button
                type="button"
                aria-pressed={row.key === chosen}
                onClick={() => onChoose(row.key === chosen ? null : row.key)}
                className={classNames(
                  'block min-h-9 w-full min-w-32 rounded text-left underline-offset-4 hover:underline',
                  row.key === chosen ? 'font-semibold text-accent' : null,
                )}
              >
                {nameOf(row)}
                <span
                  aria-hidden="true"
                  className="mt-0.5 block h-1 rounded bg-accent"
                  style={{ width: `${Math.max(0, (row.amount / largest) * 100)}%` }}
                />
              </button>
            ),
        },
        {
          id: 'quantity',
          header: t(
            by === 'item' || by === 'category'
              ? 'breakdown.quantity'
              : by === 'payment'
                ? 'breakdown.payments'
                : 'breakdown.bills',
          ),
          cell: ({ quantity }) => number(quantity),
        },
        { id: 'amount', header: t('breakdown.amount'), cell: ({ amount }) => money(amount) },
        {
          id: 'share',
          header: t('breakdown.share'),
          cell: ({ amount }) => (total > 0 ? percent(Math.round((amount / total) * 1_000) * 10) : '–'),
        },
        {
          id: 'change',
          header: t('breakdown.change'),
          cell: ({ amount, before, isRest }) =>
            isRest ? null : (
              <div className="flex justify-end">
                <Change now={amount} before={before} nothingBefore={t('breakdown.new')} />
              </div>
            ),
        },
        { id: 'line', header: t('breakdown.course'), cell: ({ line }) => <SparkLine values={line} /> },
      ]}
    />
  );
}

interface HourChartProps {
  title: string;
  parts: ShownPart[];
  compare: NonNullable<ReportInput['compare']>;
}

/** The 24 hours of the business day. */
function HourChart({ title, parts, compare }: HourChartProps) {
  const t = useTranslations('reports');
  const figures = useTranslations('figures');
  const { dayStartsAt } = useOffice().merchant;
  const { money, moneyShort } = useFormat();
  const partAt = new Map(parts.map((part) => [part.key, part]));
  return (
    <DayChart
      label={t('chartLabel', { title })}
      rows={hoursOfDay(dayStartsAt).map((hour) => ({
        day: hour,
        amount: partAt.get(hour)?.amount ?? 0,
        before: partAt.get(hour)?.before ?? 0,
      }))}
      tickOf={(hour) => hour}
      titleOf={(hour) => `${hour}:00 – ${hour}:59`}
      series={[
        { key: 'amount', name: figures('sales.name'), color: seriesColors.first },
        { key: 'before', name: t(`compare.${compare}`), color: seriesColors.second, isDashed: true },
      ]}
      shape="bars"
      format={money}
      formatShort={moneyShort}
    />
  );
}
