'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Section } from '../../ui/section';
import { usePages } from '../customers/use-pages';
import { DataList } from '../data-list';
import { useOffice } from '../office';
import { useTRPC } from '../trpc';
import { useRowColumns } from './row-columns';

/** The rows that were left out, to look at and to take along. */
export function ProblemList({ importId }: { importId: string }) {
  const t = useTranslations('customers');
  const { merchant } = useOffice();
  const { page, setPage } = usePages();
  const query = useQuery({
    ...useTRPC().customerImports.problems.queryOptions({ importId, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t('problems')}
      description={t('problemsText')}
      actions={
        <a
          href={`/export/customer-import-problems?${new URLSearchParams({ merchant: merchant.id, importId })}`}
          download
          className="inline-flex min-h-9 items-center gap-2 rounded-lg border border-edge bg-surface px-3.5 text-sm font-medium hover:border-ink"
        >
          <Download className="size-4" aria-hidden="true" />
          {t('downloadProblems')}
        </a>
      }
    >
      <DataList
        caption={t('problems')}
        query={query}
        columns={useRowColumns()}
        rowKey={({ rowNumber }) => String(rowNumber)}
        empty={null}
        isFiltered={false}
        onPage={setPage}
      />
    </Section>
  );
}
