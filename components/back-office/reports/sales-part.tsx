import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { SalesPartInput } from '@/server/domain/reports';
import { Button } from '../../ui/button';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { DayChart } from './chart';
import { seriesColors } from './chart-parts';

interface PartByDayProps {
  part: SalesPartInput;
  name: string;
  onClear: () => void;
}

/** Sales by day of one part of a breakdown, with the period compared with as a dashed line. */
export function PartByDay({ part, name, onClear }: PartByDayProps) {
  const t = useTranslations('reports');
  const { money, moneyShort } = useFormat();
  const query = useQuery({ ...useTRPC().reports.part.queryOptions(part), placeholderData: keepPreviousData });
  const title = t('breakdown.only', { name });
  return (
    <Section
      title={title}
      actions={
        <Button variant="secondary" size="small" onClick={onClear}>
          <X className="size-4" aria-hidden="true" />
          {t('breakdown.showAllSales')}
        </Button>
      }
    >
      <Loaded query={query}>
        {({ days, daysBefore }) => (
          <DayChart
            label={t('chartLabel', { title })}
            rows={days.map((row, at) => ({ ...row, compared: daysBefore[at]?.amount }))}
            series={[
              { key: 'amount', name, color: seriesColors.first },
              {
                key: 'compared',
                name: t(`compare.${part.compare ?? 'before'}`),
                color: seriesColors.second,
                isDashed: true,
              },
            ]}
            shape="bars"
            format={money}
            formatShort={moneyShort}
          />
        )}
      </Loaded>
    </Section>
  );
}
