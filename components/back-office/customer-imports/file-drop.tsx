'use client';

import { FileUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';

interface FileDropProps {
  isBusy: boolean;
  onFile: (file: File) => void;
}

/** Takes a CSV file: dropped, or chosen. */
export function FileDrop({ isBusy, onFile }: FileDropProps) {
  const t = useTranslations('customers');
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file && !isBusy) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for everybody
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
      className={classNames(
        'flex flex-col items-center rounded-2xl border border-dashed px-6 py-10 text-center transition-colors',
        isOver ? 'border-accent bg-tint' : 'border-edge/60 bg-surface',
      )}
    >
      <span className="mb-4 flex size-12 items-center justify-center rounded-full bg-tint text-accent">
        <FileUp className="size-6" aria-hidden="true" />
      </span>
      <p className="text-lg font-semibold tracking-tight">{t('dropFile')}</p>
      <p className="mt-1.5 max-w-md text-muted">{t('fileHint')}</p>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label={t('chooseFile')}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
      <Button className="mt-5" busy={isBusy} onClick={() => input.current?.click()}>
        {isBusy ? t('uploading') : t('chooseFile')}
      </Button>
    </div>
  );
}
