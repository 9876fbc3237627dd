'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Opened } from '../../form/opened';
import { PageHeader } from '../../ui/page-header';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { CampaignForm } from './campaign-form';

export function EditCampaignScreen({ campaignId }: { campaignId: string }) {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.campaigns.get.queryOptions({ campaignId }, { refetchOnMount: 'always' }));
  const { error, refetch } = query;
  // The data cached by the campaign's own screen may be outdated.
  const data = query.isFetchedAfterMount ? query.data : undefined;
  const update = useMutation(trpc.campaigns.update.mutationOptions());
  const toCampaign = () => router.push(`/vouchers/${campaignId}`);
  return (
    <>
      <PageHeader
        title={t('editTitle')}
        back={{ href: `/vouchers/${campaignId}`, label: data?.name ?? t('campaign') }}
      />
      {data ? (
        <Opened present={data} refetch={refetch}>
          {(opened) => (
            <CampaignForm
              values={opened}
              isIssued={data.funnel.issued > 0}
              saveLabel={tCommon('save')}
              savedMessage={t('changed')}
              onCancel={toCampaign}
              onSave={async (campaign) => {
                await update.mutateAsync({ campaignId, campaign, revision: opened.revision });
                await queryClient.invalidateQueries({ queryKey: [['campaigns']] });
                toCampaign();
              }}
            />
          )}
        </Opened>
      ) : (
        <Waiting error={error} refetch={refetch} />
      )}
    </>
  );
}
