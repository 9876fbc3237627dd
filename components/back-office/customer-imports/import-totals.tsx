import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ImportMapping } from '@/server/domain/customer-imports';
import { Section } from '../../ui/section';
import { Skeleton } from '../../ui/skeleton';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { LoadError } from '../state/load-error';
import { Count } from './import-progress';

/** The totals of the whole file, in customers and balances, before the import starts. */
export function ImportTotals({ importId, mapping }: { importId: string; mapping: ImportMapping }) {
  const t = useTranslations('customers');
  const { money, number } = useFormat();
  const { data, error, refetch } = useQuery({
    ...useTRPC().customerImports.totals.queryOptions({ importId, mapping }, { trpc: { abortOnUnmount: true } }),
  });
  const { principal, bonus, points } = mapping.columns;
  return (
    <Section title={t('importTotals')} description={t('importTotalsText')}>
      {data ? (
        <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-3">
          <Count term={t('readyCount')} value={number(data.ready)} />
          <Count term={t('existingCount')} value={number(data.existing)} />
          {data.twins > 0 ? <Count term={t('twinCount')} value={number(data.twins)} /> : null}
          <Count term={t('problemCount')} value={number(data.skipped)} />
          {data.warnings > 0 ? <Count term={t('warningCount')} value={number(data.warnings)} /> : null}
          {principal === undefined ? null : <Count term={t('principal')} value={money(data.openings.principal)} />}
          {bonus === undefined ? null : <Count term={t('bonus')} value={money(data.openings.bonus)} />}
          {points === undefined ? null : <Count term={t('points')} value={number(data.openings.points)} />}
        </dl>
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <Skeleton label={t('counting')} />
      )}
    </Section>
  );
}
