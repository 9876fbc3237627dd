'use client';

import { useTranslations } from 'next-intl';
import type { TableChoice, TableSource } from '@/server/domain/table-files';
import { encoding } from '@/server/domain/table-files/schemas';
import { Alert } from '../../ui/alert';
import { Select } from '../../ui/select';

/** The files that every import takes, for the browser's dialog. */
export const tableFileTypes = '.xlsx,.xlsm,.csv,.tsv,.txt,text/csv';

interface FileReadingProps<Source extends TableSource> {
  source: Source;
  isBusy: boolean;
  onChoose: (choice: TableChoice) => void;
}

/** How an uploaded file was read, and another way to read it. */
export function FileReading({ source, ...props }: FileReadingProps<TableSource>) {
  return source.kind === 'text' ? (
    <EncodingChoice source={source} {...props} />
  ) : (
    <SheetChoice source={source} {...props} />
  );
}

function EncodingChoice({ source, isBusy, onChoose }: FileReadingProps<Extract<TableSource, { kind: 'text' }>>) {
  const t = useTranslations('tableFiles');
  const { encoding: read, isCertain } = source;
  const options = encoding.options.map((value) => ({ value, label: t(`encodings.${value}`) }));
  return (
    <div className="flex flex-col gap-4">
      {isCertain ? null : (
        <Alert tone="caution" title={t('encodingUnsure')}>
          {t('encodingUnsureText')}
        </Alert>
      )}
      <div className="sm:max-w-sm">
        <Select
          label={t('encoding')}
          hint={isCertain ? t('encodingHint') : undefined}
          value={isCertain ? read : ''}
          disabled={isBusy}
          onChange={({ target }) => onChoose({ encoding: encoding.parse(target.value) })}
          options={isCertain ? options : [{ value: '', label: t('chooseEncoding') }, ...options]}
        />
      </div>
    </div>
  );
}

function SheetChoice({ source, isBusy, onChoose }: FileReadingProps<Extract<TableSource, { kind: 'workbook' }>>) {
  const t = useTranslations('tableFiles');
  return (
    <div className="sm:max-w-sm">
      <Select
        label={t('sheet')}
        value={String(source.sheet)}
        disabled={isBusy || source.sheets.length === 1}
        onChange={({ target }) => onChoose({ sheet: Number(target.value) })}
        options={source.sheets.map((name, index) => ({ value: String(index), label: name }))}
      />
    </div>
  );
}
