'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { isUnsure } from '@/server/domain/table-files/schemas';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { useSentence } from '../../messages/use-sentence';
import { Alert } from '../../ui/alert';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { type Column, DataTable } from '../../ui/data-table';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';

export type ImportAnswer = inferRouterOutputs<StaffRouter>['menu']['importItems'];

interface ImportPreviewProps {
  answer: ImportAnswer;
  isImporting: boolean;
  onImport: () => void;
}

/** The changes that a file would make, or its problems. */
export function ImportPreview({ answer, isImporting, onImport }: ImportPreviewProps) {
  const t = useTranslations('menu');
  const issueColumns = useIssueColumns();
  const { created, updated, unchanged, newCategories, changes, similar, issues, source } = answer;
  const changeColumns = useChangeColumns(changes);
  if (issues.length > 0) {
    return (
      <Section title={t('importProblems', { count: issues.length })} description={t('importProblemsText')}>
        <DataTable
          caption={t('importProblems', { count: issues.length })}
          columns={issueColumns}
          rows={issues}
          rowKey={({ row, column, sentence }) => `${row} ${column} ${sentence.key}`}
        />
      </Section>
    );
  }
  const total = created + updated;
  return (
    <Section
      title={t('importPreview')}
      description={t('importCounts', { created, updated, unchanged })}
      actions={
        total > 0 && !isUnsure(source) ? (
          <Button busy={isImporting} onClick={onImport}>
            {t('importNow', { count: total })}
          </Button>
        ) : null
      }
    >
      {similar.length > 0 ? <SimilarItems similar={similar} /> : null}
      {newCategories.length > 0 ? (
        <p className="mb-4 text-sm text-muted">{t('importCategories', { names: newCategories.join(', ') })}</p>
      ) : null}
      {total > 0 ? (
        <DataTable caption={t('importPreview')} columns={changeColumns} rows={changes} rowKey={({ plu }) => plu} />
      ) : null}
      {total > changes.length ? (
        <p className="mt-3 text-sm text-muted">{t('importMore', { count: total - changes.length })}</p>
      ) : null}
    </Section>
  );
}

/** New items and categories that may be existing ones, written otherwise. */
function SimilarItems({ similar }: Pick<ImportAnswer, 'similar'>) {
  const t = useTranslations('menu');
  return (
    <div className="mb-5 flex flex-col gap-3">
      <Alert tone="caution" title={t('similarTitle', { count: similar.length })}>
        {t('similarText')}
      </Alert>
      <DataTable
        caption={t('similarTitle', { count: similar.length })}
        rows={similar}
        rowKey={({ kind, given }) => `${kind} ${given}`}
        columns={[
          { id: 'kind', header: t('similarKind'), cell: ({ kind }) => t(kind) },
          {
            id: 'given',
            header: t('similarGiven'),
            cell: ({ kind, given, names: [name] }) => (kind === 'item' ? `${given} · ${name}` : given),
          },
          {
            id: 'other',
            header: t('similarOther'),
            cell: ({ kind, other, names: [, name] }) => (kind === 'item' ? `${other} · ${name}` : other),
          },
        ]}
      />
    </div>
  );
}

type Change = ImportAnswer['changes'][number];

function useChangeColumns(changes: Change[]): Column<Change>[] {
  const t = useTranslations('menu');
  const tCommon = useTranslations('common');
  const { money } = useFormat();
  const storesOf = (codes: string[]) => codes.join(', ') || tCommon('allStores');
  const storesColumn: Column<Change> = {
    id: 'stores',
    narrow: 'bare',
    header: tCommon('stores'),
    cell: ({ stores }) => (stores ? `${storesOf(stores.before)} → ${storesOf(stores.after)}` : null),
  };
  return [
    { id: 'name', header: t('item'), cell: ({ name }) => name },
    { id: 'plu', narrow: 'bare', header: t('plu'), cell: ({ plu }) => plu },
    {
      id: 'change',
      narrow: 'bare',
      header: t('change'),
      cell: ({ priceBefore }) =>
        priceBefore === null ? <Badge tone="good">{t('newBadge')}</Badge> : <Badge>{t('changedBadge')}</Badge>,
    },
    ...(changes.some(({ stores }) => stores) ? [storesColumn] : []),
    {
      id: 'price',
      narrow: 'aside',
      header: t('price'),
      cell: ({ price, priceBefore }) =>
        priceBefore === null || priceBefore === price ? money(price) : `${money(priceBefore)} → ${money(price)}`,
      align: 'end',
    },
  ];
}

function useIssueColumns(): Column<ImportAnswer['issues'][number]>[] {
  const t = useTranslations('menu');
  const sentenceText = useSentence();
  const { number } = useFormat();
  return [
    { id: 'problem', header: t('problem'), cell: ({ sentence }) => sentenceText(sentence) },
    { id: 'row', header: t('row'), cell: ({ row }) => number(row) },
    { id: 'column', header: t('column'), cell: ({ column }) => column },
  ];
}
