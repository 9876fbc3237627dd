import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ImportMapping } from '@/server/domain/customer-imports';
import { Section } from '../../ui/section';
import { Skeleton } from '../../ui/skeleton';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { LoadError } from '../state/load-error';
import { Count } from './import-progress';
import type { ImportTotalsPart } from './types';

/** The totals of the whole file, in customers and balances, before the import starts. */
export function ImportTotals({ importId, mapping }: { importId: string; mapping: ImportMapping }) {
  const t = useTranslations('customers');
  const { money, number } = useFormat();
  const { data, error, refetch } = useImportTotals(importId, mapping);
  const { principal, bonus, points } = mapping.columns;
  return (
    <Section title={t('importTotals')} description={t('importTotalsText')}>
      {data ? (
        <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-3">
          <Count term={t('readyCount')} value={number(data.ready)} />
          <Count term={t('existingCount')} value={number(data.existing)} />
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

/** Adds up a file part by part. */
function useImportTotals(importId: string, mapping: ImportMapping) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: ['importTotals', importId, mapping],
    queryFn: async ({ signal }) => {
      let sum: ImportTotalsPart | null = null;
      do {
        const after: number | null = sum?.next ?? null;
        const part: ImportTotalsPart = await queryClient.fetchQuery({
          ...trpc.customerImports.totals.queryOptions({ importId, mapping, after }),
          staleTime: 0,
        });
        signal.throwIfAborted();
        sum = sum === null ? part : add(sum, part);
      } while (sum.next !== null);
      return sum;
    },
  });
}

const add = (sum: ImportTotalsPart, part: ImportTotalsPart): ImportTotalsPart => ({
  ready: sum.ready + part.ready,
  warnings: sum.warnings + part.warnings,
  existing: sum.existing + part.existing,
  skipped: sum.skipped + part.skipped,
  openings: {
    principal: sum.openings.principal + part.openings.principal,
    bonus: sum.openings.bonus + part.openings.bonus,
    points: sum.openings.points + part.openings.points,
  },
  next: part.next,
});
