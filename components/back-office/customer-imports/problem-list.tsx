'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useLanguage } from '../../messages/use-language';
import { Section } from '../../ui/section';
import { usePages } from '../customers/use-pages';
import { DataList, ExportLink } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useRowColumns } from './row-columns';
import type { ImportDetail } from './types';

/** The skipped rows and those with a warning, to view and to download. */
export function ProblemList({ file: { importId, fields, warningCount } }: { file: ImportDetail }) {
  const t = useTranslations('customers');
  const language = useLanguage();
  const { page, setPage } = usePages();
  const query = useQuery({
    ...useTRPC().customerImports.problems.queryOptions({ importId, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t(warningCount > 0 ? 'rowsToCheck' : 'problems')}
      description={t('problemsText')}
      actions={
        <ExportLink list="customer-import-problems" filters={{ importId, language }} label={t('downloadProblems')} />
      }
    >
      <DataList
        caption={t('problems')}
        query={query}
        columns={useRowColumns(fields)}
        rowKey={({ rowNumber }) => String(rowNumber)}
        empty={null}
        isFiltered={false}
        onPage={setPage}
      />
    </Section>
  );
}
