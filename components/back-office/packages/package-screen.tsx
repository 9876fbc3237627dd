'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Opened } from '../../form/opened';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { PageHeader } from '../../ui/page-header';
import { neverFromMemory, useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { PackageForm } from './package-form';
import type { ManagedPackage } from './package-summary';

/** Edits or archives a package. */
export function PackageScreen({ packageId }: { packageId: string }) {
  const t = useTranslations('packages');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(trpc.packages.get.queryOptions({ packageId }, neverFromMemory));
  const update = useMutation(trpc.packages.update.mutationOptions());
  const back = { href: '/packages', label: t('title') };
  if (!data) {
    return (
      <>
        <PageHeader title={t('package')} back={back} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  return (
    <>
      <PageHeader title={data.name} back={back} actions={<Archiving shown={data} />} />
      <Opened present={data} refetch={refetch}>
        {(opened, onSaved) => (
          <PackageForm
            values={opened}
            saveLabel={tCommon('save')}
            savedMessage={t('changed')}
            onSave={async (input) => {
              onSaved(await update.mutateAsync({ packageId, package: input, revision: opened.revision }));
              await queryClient.invalidateQueries({ queryKey: [['packages']] });
            }}
          />
        )}
      </Opened>
    </>
  );
}

function Archiving({ shown: { packageId, name, status } }: { shown: ManagedPackage }) {
  const t = useTranslations('packages');
  const tCommon = useTranslations('common');
  const { toast, settle } = useChange('packages');
  const [isAsking, setIsAsking] = useState(false);
  const isArchived = status === 'archived';
  const { mutate, isPending } = useMutation(
    useTRPC().packages.setArchived.mutationOptions({
      ...settle,
      onSuccess: (_, input) => toast.done(input.isArchived ? t('archivedToast') : t('restoredToast')),
    }),
  );
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        busy={isPending}
        onClick={() => (isArchived ? mutate({ packageId, isArchived: false }) : setIsAsking(true))}
      >
        {isArchived ? tCommon('restore') : tCommon('archive')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('archiveTitle', { name })}
        confirmLabel={tCommon('archive')}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          mutate({ packageId, isArchived: true });
        }}
      >
        {t('archiveText')}
      </ConfirmDialog>
    </>
  );
}
