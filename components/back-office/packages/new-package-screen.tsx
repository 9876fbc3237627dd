'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { PageHeader } from '../../ui/page-header';
import { useTRPC } from '../office/trpc';
import { PackageForm } from './package-form';

export function NewPackageScreen() {
  const t = useTranslations('packages');
  const router = useRouter();
  const queryClient = useQueryClient();
  const create = useMutation(useTRPC().packages.create.mutationOptions());
  return (
    <>
      <PageHeader title={t('newTitle')} back={{ href: '/packages', label: t('title') }} />
      <PackageForm
        saveLabel={t('create')}
        savedMessage={t('created')}
        onSave={async (input) => {
          await create.mutateAsync(input);
          await queryClient.invalidateQueries({ queryKey: [['packages']] });
          router.push('/packages');
        }}
      />
    </>
  );
}
