'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { PageHeader } from '../../ui/page-header';
import { useTRPC } from '../office/trpc';
import { CampaignForm } from './campaign-form';

export function NewCampaignScreen() {
  const t = useTranslations('vouchers');
  const router = useRouter();
  const queryClient = useQueryClient();
  const create = useMutation(useTRPC().campaigns.create.mutationOptions());
  return (
    <>
      <PageHeader title={t('newTitle')} back={{ href: '/vouchers', label: t('title') }} />
      <CampaignForm
        saveLabel={t('create')}
        savedMessage={t('created')}
        onCancel={() => router.push('/vouchers')}
        onSave={async (input) => {
          const { campaignId } = await create.mutateAsync(input);
          await queryClient.invalidateQueries({ queryKey: [['campaigns']] });
          router.push(`/vouchers/${campaignId}`);
        }}
      />
    </>
  );
}
