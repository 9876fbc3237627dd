'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import { LoadError } from '../load-error';
import { useTRPC } from '../trpc';
import { CampaignForm } from './campaign-form';

export function EditCampaignScreen({ campaignId }: { campaignId: string }) {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(trpc.campaigns.get.queryOptions({ campaignId }));
  const update = useMutation(trpc.campaigns.update.mutationOptions());
  const toCampaign = () => router.push(`/vouchers/${campaignId}`);
  return (
    <>
      <PageHeader
        title={t('editTitle')}
        back={{ href: `/vouchers/${campaignId}`, label: data?.name ?? t('campaign') }}
      />
      {data ? (
        <CampaignForm
          values={data}
          isIssued={data.funnel.issued > 0}
          saveLabel={tCommon('save')}
          savedMessage={t('changed')}
          onCancel={toCampaign}
          onSave={async (campaign) => {
            await update.mutateAsync({ campaignId, campaign });
            await queryClient.invalidateQueries({ queryKey: [['campaigns']] });
            toCampaign();
          }}
        />
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <Skeleton label={tCommon('loading')} className="h-96" />
      )}
    </>
  );
}
