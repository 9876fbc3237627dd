'use client';

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { DateOrder, ImportField, ImportMapping } from '@/server/domain/customer-imports';
import { dateOrder as dateOrders, importField, importMapping } from '@/server/domain/customer-imports/schemas';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { Section } from '../../ui/section';
import { Select } from '../../ui/select';
import { useTRPC } from '../office/trpc';
import { Loaded } from '../state/loaded';
import { useChange } from '../state/use-change';
import { ImportTotals } from './import-totals';
import { useFieldLabel, useRowColumns } from './row-columns';
import type { ImportDetail } from './types';
import { UnusedColumns } from './unused-columns';

interface MapColumnsProps {
  file: ImportDetail;
  guessed: ImportMapping;
}

/** Maps columns to fields, previews the first rows, and starts the import. */
export function MapColumns({ file, guessed }: MapColumnsProps) {
  const t = useTranslations('customers');
  const [mapping, setMapping] = useState<ImportMapping>(guessed);
  const isComplete = importMapping.safeParse(mapping).success;
  return (
    <div className="flex flex-col gap-5">
      <Section title={t('columns')} description={t('columnsText')}>
        <ColumnChoices file={file} mapping={mapping} onChange={setMapping} />
        <UnusedColumns headings={file.headings.filter((_, at) => !Object.values(mapping.columns).includes(at))} />
      </Section>
      {isComplete ? <ImportTotals importId={file.importId} mapping={mapping} /> : null}
      <Section
        title={t('preview')}
        description={isComplete ? `${t('previewText')} ${t('noJoinVouchers')}` : t('mapFirst')}
        actions={isComplete ? <StartButton file={file} mapping={mapping} /> : null}
      >
        {isComplete ? <Preview file={file} mapping={mapping} /> : null}
      </Section>
    </div>
  );
}

interface ColumnChoicesProps {
  file: ImportDetail;
  mapping: ImportMapping;
  onChange: (mapping: ImportMapping) => void;
}

function ColumnChoices({ file: { headings, sample }, mapping, onChange }: ColumnChoicesProps) {
  const t = useTranslations('customers');
  const fieldLabel = useFieldLabel();
  const columns = headings.map((heading, at) => {
    const name = heading || t('columnNumber', { number: at + 1 });
    const example = sample.map((cells) => cells[at]).find(Boolean);
    return { value: String(at), label: example ? t('columnNamed', { heading: name, sample: example }) : name };
  });
  const choose = (field: ImportField, value: string) => {
    const { [field]: _, ...others } = mapping.columns;
    onChange({ ...mapping, columns: value === '' ? others : { ...others, [field]: Number(value) } });
  };
  return (
    <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      {importField.options.map((field) => (
        <Select
          key={field}
          label={fieldLabel(field)}
          value={String(mapping.columns[field] ?? '')}
          onChange={({ target }) => choose(field, target.value)}
          options={[{ value: '', label: t('noColumn') }, ...columns]}
        />
      ))}
      {mapping.columns.birthday === undefined && mapping.columns.expiresOn === undefined ? null : (
        <Select
          label={t('dateOrder')}
          value={mapping.dateOrder}
          onChange={({ target }) => onChange({ ...mapping, dateOrder: target.value as DateOrder })}
          options={dateOrders.options.map((value) => ({ value, label: t(`dateOrders.${value}`) }))}
        />
      )}
    </div>
  );
}

interface MappedProps {
  file: ImportDetail;
  mapping: ImportMapping;
}

function Preview({ file: { importId }, mapping }: MappedProps) {
  const t = useTranslations('customers');
  const columns = useRowColumns(importField.options.filter((field) => mapping.columns[field] !== undefined));
  const query = useQuery({
    ...useTRPC().customerImports.preview.queryOptions({ importId, mapping }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query}>
      {(rows) => (
        <DataTable caption={t('preview')} columns={columns} rows={rows} rowKey={({ rowNumber }) => String(rowNumber)} />
      )}
    </Loaded>
  );
}

function StartButton({ file: { importId, rowCount }, mapping }: MappedProps) {
  const t = useTranslations('customers');
  const { toast, settle } = useChange('customerImports');
  // Set immediately, because the mutation's own state changes too late for a double click.
  const [isStarted, setStarted] = useState(false);
  const start = useMutation(
    useTRPC().customerImports.start.mutationOptions({
      ...settle,
      onSuccess: () => toast.done(t('importStarted')),
      onError: (error) => {
        setStarted(false);
        settle.onError(error);
      },
    }),
  );
  return (
    <Button
      size="small"
      busy={isStarted}
      onClick={() => {
        setStarted(true);
        start.mutate({ importId, mapping });
      }}
    >
      {t('startImport', { count: rowCount })}
    </Button>
  );
}
