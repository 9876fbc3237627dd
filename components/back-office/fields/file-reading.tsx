'use client';

import { useTranslations } from 'next-intl';
import type { TableChoice, TableSource } from '@/server/domain/table-files';
import { encoding } from '@/server/domain/table-files/schemas';
import { Alert } from '../../ui/alert';
import { Select } from '../../ui/select';

interface FileReadingProps {
  source: TableSource;
  isBusy: boolean;
  onChoose: (choice: TableChoice) => void;
}

/** How an uploaded file was read, and another way to read it. */
export function FileReading({ source: { encoding: read, isCertain }, isBusy, onChoose }: FileReadingProps) {
  const t = useTranslations('tableFiles');
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
