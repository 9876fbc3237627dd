'use client';

import { FileUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { DropZone, FileButton } from '../../ui/file-button';
import { tableFileTypes } from '../fields/file-reading';

interface FileDropProps {
  isBusy: boolean;
  onFile: (file: File) => void;
}

/** Accepts an Excel or CSV file, dropped or chosen. */
export function FileDrop({ isBusy, onFile }: FileDropProps) {
  const t = useTranslations('customers');
  return (
    <DropZone
      onFile={(file) => isBusy || onFile(file)}
      className="flex flex-col items-center rounded-2xl border border-dashed border-edge/60 bg-surface px-6 py-10 text-center"
      overClassName="outline-2 -outline-offset-1 outline-accent"
    >
      <span className="mb-4 flex size-12 items-center justify-center rounded-full bg-tint text-accent">
        <FileUp className="size-6" aria-hidden="true" />
      </span>
      <p className="text-lg font-semibold tracking-tight">{t('dropFile')}</p>
      <p className="mt-1.5 mb-5 max-w-md text-muted">{t('fileHint')}</p>
      <FileButton label={t('chooseFile')} accept={tableFileTypes} busy={isBusy} onFile={onFile}>
        {isBusy ? t('uploading') : t('chooseFile')}
      </FileButton>
    </DropZone>
  );
}
