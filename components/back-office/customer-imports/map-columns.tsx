'use client';

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { AmountField, DateOrder, ImportField, ImportMapping } from '@/server/domain/customer-imports';
import {
  amountField,
  dateOrder as dateOrders,
  expiryFields,
  importField,
  importMapping,
} from '@/server/domain/customer-imports/schemas';
import type { DecimalMark } from '@/server/domain/kernel/amount-cells';
import type { TableSource } from '@/server/domain/table-files';
import { isUnsure } from '@/server/domain/table-files/schemas';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { Section } from '../../ui/section';
import { Select } from '../../ui/select';
import { FileReading } from '../fields/file-reading';
import { useTRPC } from '../office/trpc';
import { Loaded, type LoadedQuery } from '../state/loaded';
import { useChange } from '../state/use-change';
import { ImportTotals } from './import-totals';
import { useFieldLabel, useRowColumns } from './row-columns';
import type { ImportDetail, PreviewAnswer } from './types';
import { UnusedColumns } from './unused-columns';
import { fileOf, useUpload } from './use-upload';

interface MapColumnsProps {
  file: ImportDetail;
  guessed: ImportMapping;
}

/** Maps columns to fields, previews the first rows, and starts the import. */
export function MapColumns({ file, guessed }: MapColumnsProps) {
  const t = useTranslations('customers');
  const tFiles = useTranslations('tableFiles');
  const [mapping, setMapping] = useState<ImportMapping>(guessed);
  const isComplete = importMapping.safeParse(mapping).success;
  const preview = useQuery({
    ...useTRPC().customerImports.preview.queryOptions({ importId: file.importId, mapping }),
    placeholderData: keepPreviousData,
    enabled: isComplete,
  });
  const unclear = (preview.data?.unclear ?? []).filter((field) => mapping.columns[field] !== undefined);
  const isReady =
    isComplete && !isUnsure(file.source) && unclear.every((field) => mapping.decimalMarks?.[field] !== undefined);
  return (
    <div className="flex flex-col gap-5">
      {file.source ? <Reading importId={file.importId} source={file.source} /> : null}
      <Section
        title={t('columns')}
        description={file.knownAs ? `${t('knownAs', { name: file.knownAs })} ${t('columnsText')}` : t('columnsText')}
      >
        <ColumnChoices file={file} mapping={mapping} onChange={setMapping} unclear={unclear} />
        <LeftColumns file={file} mapping={mapping} />
      </Section>
      {isComplete ? <ImportTotals importId={file.importId} mapping={mapping} /> : null}
      <Section
        title={t('preview')}
        description={
          isReady
            ? `${t(mapping.addsToKnown ? 'previewTextAdd' : 'previewText')} ${t('noJoinVouchers')}`
            : isUnsure(file.source)
              ? tFiles('encodingUnsure')
              : t(isComplete ? 'decimalMarksFirst' : 'mapFirst')
        }
        actions={isReady ? <StartButton file={file} mapping={mapping} /> : null}
      >
        {isComplete ? <Preview query={preview} mapping={mapping} /> : null}
      </Section>
    </div>
  );
}

/** How the file was read. To read it in another way, it is uploaded again. */
function Reading({ importId, source }: { importId: string; source: TableSource }) {
  const t = useTranslations('tableFiles');
  const router = useRouter();
  const upload = useUpload((newId) => router.replace(`/customers/import/${newId}`));
  const kept = fileOf(importId);
  return (
    <Section title={t('file')}>
      <FileReading
        source={source}
        isBusy={kept === null || upload.isPending}
        onChoose={(choice) => kept && upload.mutate({ file: kept, choice })}
      />
      {kept === null ? <p className="mt-3 text-sm text-muted">{t('chooseFileAgain')}</p> : null}
    </Section>
  );
}

/** Names the columns that are not imported, first those that may hold a balance. */
function LeftColumns({ file: { headings, doubtful }, mapping }: { file: ImportDetail; mapping: ImportMapping }) {
  const t = useTranslations('customers');
  const used = Object.values(mapping.columns);
  const left = headings.flatMap((heading, at) =>
    used.includes(at) ? [] : { heading, isDoubtful: doubtful.includes(at) },
  );
  const columns = left.flatMap(({ heading, isDoubtful }) => (isDoubtful ? heading : [])).join(', ');
  return (
    <>
      {columns === '' ? null : (
        <div className="mt-5">
          <Alert tone="caution" title={t('doubtfulColumns', { columns })} />
        </div>
      )}
      <UnusedColumns headings={left.flatMap(({ heading, isDoubtful }) => (isDoubtful ? [] : heading))} />
    </>
  );
}

/** Fields that are asked for only if the other one has a column. */
const belongsTo: Partial<Record<ImportField, ImportField>> = {
  bonusExpiresOn: 'bonus',
  voucherCount: 'voucher',
  voucherExpiresOn: 'voucher',
};

interface ColumnChoicesProps {
  file: ImportDetail;
  mapping: ImportMapping;
  onChange: (mapping: ImportMapping) => void;
  /** The columns of amounts whose decimal mark has to be chosen. */
  unclear: AmountField[];
}

function ColumnChoices({ file: { headings, sample }, mapping, onChange, unclear }: ColumnChoicesProps) {
  const t = useTranslations('customers');
  const fieldLabel = useFieldLabel();
  const columns = headings.map((heading, at) => {
    const name = heading || t('columnNumber', { number: at + 1 });
    const example = sample.map((cells) => cells[at]).find(Boolean);
    return { value: String(at), label: example ? t('columnNamed', { heading: name, sample: example }) : name };
  });
  const choose = (field: ImportField, value: string) => {
    const { [field]: _, ...others } = mapping.columns;
    const decimalMarks = Object.fromEntries(
      Object.entries(mapping.decimalMarks ?? {}).filter(([one]) => one !== field),
    );
    const chosen = value === '' ? others : { ...others, [field]: Number(value) };
    onChange({ ...mapping, columns: chosen, decimalMarks });
  };
  const isAsked = (field: ImportField) => {
    const of = belongsTo[field];
    return of === undefined || mapping.columns[of] !== undefined || mapping.columns[field] !== undefined;
  };
  const hasDates = ['birthday' as const, ...expiryFields].some((field) => mapping.columns[field] !== undefined);
  return (
    <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      {importField.options.filter(isAsked).map((field) => (
        <Select
          key={field}
          label={fieldLabel(field)}
          value={String(mapping.columns[field] ?? '')}
          onChange={({ target }) => choose(field, target.value)}
          options={[{ value: '', label: t('noColumn') }, ...columns]}
        />
      ))}
      {hasDates ? (
        <Select
          label={t('dateOrder')}
          value={mapping.dateOrder}
          onChange={({ target }) => onChange({ ...mapping, dateOrder: target.value as DateOrder })}
          options={dateOrders.options.map((value) => ({ value, label: t(`dateOrders.${value}`) }))}
        />
      ) : null}
      {[...amountField.options, 'voucher' as const].every((field) => mapping.columns[field] === undefined) ? null : (
        <Select
          label={t('knownCustomers')}
          hint={t('knownHint')}
          value={mapping.addsToKnown ? 'add' : 'leave'}
          onChange={({ target }) => onChange({ ...mapping, addsToKnown: target.value === 'add' })}
          options={[
            { value: 'leave', label: t('knownLeave') },
            { value: 'add', label: t('knownAdd') },
          ]}
        />
      )}
      {unclear.map((field) => (
        <Select
          key={`decimals of ${field}`}
          label={t('decimalMark', { field: fieldLabel(field) })}
          hint={t('decimalMarkHint')}
          value={mapping.decimalMarks?.[field] ?? ''}
          onChange={({ target }) =>
            onChange({ ...mapping, decimalMarks: { ...mapping.decimalMarks, [field]: target.value as DecimalMark } })
          }
          options={[
            ...(mapping.decimalMarks?.[field] ? [] : [{ value: '', label: t('chooseMark') }]),
            { value: '.', label: t('decimalPoint') },
            { value: ',', label: t('decimalComma') },
          ]}
        />
      ))}
    </div>
  );
}

interface PreviewProps {
  query: LoadedQuery<PreviewAnswer>;
  mapping: ImportMapping;
}

function Preview({ query, mapping }: PreviewProps) {
  const t = useTranslations('customers');
  const columns = useRowColumns(importField.options.filter((field) => mapping.columns[field] !== undefined));
  return (
    <Loaded query={query}>
      {({ rows }) => (
        <DataTable caption={t('preview')} columns={columns} rows={rows} rowKey={({ rowNumber }) => String(rowNumber)} />
      )}
    </Loaded>
  );
}

interface MappedProps {
  file: ImportDetail;
  mapping: ImportMapping;
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
