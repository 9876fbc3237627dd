'use client';

import { useMutation } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { allergensOf } from '@/server/domain/kernel/allergens';
import { diets } from '@/server/domain/kernel/context';
import type { TableChoice } from '@/server/domain/table-files';
import { FileButton } from '../../ui/file-button';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { BringBusiness } from '../fields/bring-business';
import { FileReading, tableFileTypes } from '../fields/file-reading';
import { ManagersOnly } from '../office/managers-only';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import { ImportColumns } from './import-columns';
import { type ImportAnswer, ImportPreview } from './import-preview';
import { readBase64 } from './read-base64';

interface Chosen {
  fileName: string;
  /** Its bytes in base64. */
  file: string;
  choice: TableChoice;
}

interface Checked extends Chosen {
  answer: ImportAnswer;
}

/** Checks a file, previews its changes, and then imports it. */
export function ImportScreen() {
  const t = useTranslations('menu');
  return (
    <ManagersOnly>
      <PageHeader title={t('importTitle')} description={t('importText')} back={{ href: '/menu', label: t('title') }} />
      <Import />
    </ManagersOnly>
  );
}

function Import() {
  const t = useTranslations('menu');
  const { country } = useOffice().merchant;
  const trpc = useTRPC();
  const router = useRouter();
  const { toast, settle } = useChange('menu');
  const [checked, setChecked] = useState<Checked | null>(null);
  const check = useMutation(trpc.menu.importItems.mutationOptions());
  const take = useMutation(trpc.menu.importItems.mutationOptions(settle));

  function checkFile(chosen: Chosen, columns?: ImportAnswer['columns']): void {
    const onSuccess = (answer: ImportAnswer) => setChecked({ ...chosen, answer });
    check.mutate(
      { file: chosen.file, ...chosen.choice, columns, dryRun: true },
      { onSuccess, onError: settle.onError },
    );
  }

  async function read(file: File): Promise<void> {
    setChecked(null);
    // Since it was chosen, the file may have been deleted or become unreadable.
    const base64 = await readBase64(file).catch(() => null);
    if (base64 === null) toast.failed(t('fileUnreadable'));
    else checkFile({ fileName: file.name, file: base64, choice: {} });
  }

  function importAll(chosen: Checked): void {
    const onSuccess = (answer: ImportAnswer) => {
      // The menu may have changed since the file was checked.
      if (answer.issues.length > 0) return setChecked({ ...chosen, answer });
      toast.done(t('imported', { created: answer.created, updated: answer.updated }));
      router.push('/menu');
    };
    const { file, choice, answer } = chosen;
    take.mutate({ file, ...choice, columns: answer.columns, dryRun: false }, { onSuccess });
  }

  return (
    <div className="flex flex-col gap-5">
      <Section
        title={t('importFile')}
        description={t('importColumns', { allergens: allergensOf(country).join(', '), diets: diets.join(', ') })}
      >
        <FileButton
          label={t('importFile')}
          accept={tableFileTypes}
          variant="secondary"
          busy={check.isPending}
          onFile={(file) => void read(file)}
        >
          <FileUp className="size-4" aria-hidden="true" />
          {check.isPending ? t('checking') : t('chooseFile')}
        </FileButton>
        {checked ? <p className="mt-3 mb-4 text-sm text-muted wrap-anywhere">{checked.fileName}</p> : null}
        {checked?.answer.source ? (
          <FileReading
            source={checked.answer.source}
            isBusy={check.isPending}
            onChoose={(choice) => checkFile({ ...checked, choice })}
          />
        ) : null}
      </Section>
      {checked ? null : <BringBusiness />}
      {checked ? (
        <ImportColumns
          answer={checked.answer}
          isBusy={check.isPending}
          onChange={(columns) => checkFile(checked, columns)}
        />
      ) : null}
      {checked ? (
        <ImportPreview answer={checked.answer} isImporting={take.isPending} onImport={() => importAll(checked)} />
      ) : null}
    </div>
  );
}
