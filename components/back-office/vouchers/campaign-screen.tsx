'use client';

import { useQuery } from '@tanstack/react-query';
import { Ticket } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { CampaignBadge } from './campaign-badge';
import { CampaignFacts } from './campaign-facts';
import { CampaignState } from './campaign-state';
import { Funnel } from './funnel';
import { IssueDialog } from './issue-dialog';
import { IssueHistory } from './issue-history';
import { TermsFacts } from './terms-facts';
import type { CampaignDetail } from './types';
import { VoucherList } from './voucher-list';

/** The polling interval while vouchers are being issued. */
const progressMs = 1_500;
const isIssuing = ({ issues, status }: CampaignDetail) =>
  status !== 'paused' && issues.some(({ isFinished }) => !isFinished);

/** One campaign: its funnel, its settings and its vouchers. */
export function CampaignScreen({ campaignId }: { campaignId: string }) {
  const t = useTranslations('vouchers');
  const { data, error, refetch } = useQuery({
    ...useTRPC().campaigns.get.queryOptions({ campaignId }),
    refetchInterval: ({ state }) => (state.data && isIssuing(state.data) ? progressMs : false),
  });
  const back = { href: '/vouchers', label: t('title') };
  if (!data) {
    return (
      <>
        <PageHeader title={t('campaign')} back={back} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={data.name}
        back={back}
        badge={<CampaignBadge status={data.status} />}
        actions={<Actions campaign={data} />}
      />
      <div className="flex flex-col gap-5">
        <Funnel funnel={data.funnel} />
        <div className="grid items-start gap-5 xl:grid-cols-2">
          <Section title={t('discount')}>
            <TermsFacts terms={data} />
          </Section>
          <Section title={t('rules')}>
            <CampaignFacts campaign={data} />
          </Section>
        </div>
        <IssueHistory issues={data.issues} isPaused={data.status === 'paused'} />
        <VoucherList campaignId={campaignId} />
      </div>
    </>
  );
}

function Actions({ campaign }: { campaign: CampaignDetail }) {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const canEdit = useIsGeneralManager();
  const [isIssuing, setIsIssuing] = useState(false);
  const { campaignId, name, status, totalLimit, funnel } = campaign;
  const left = totalLimit === null ? null : totalLimit - funnel.issued;
  const canIssue = status === 'running' || status === 'scheduled';
  return (
    <>
      {canEdit ? <CampaignState campaign={campaign} /> : null}
      {!canEdit || status === 'archived' ? null : (
        <ButtonLink variant="secondary" href={`/vouchers/${campaignId}/edit`}>
          {tCommon('edit')}
        </ButtonLink>
      )}
      {canIssue ? (
        <Button onClick={() => setIsIssuing(true)}>
          <Ticket className="size-4" aria-hidden="true" />
          {t('issue')}
        </Button>
      ) : null}
      {isIssuing ? (
        <IssueDialog campaignId={campaignId} name={name} left={left} onClose={() => setIsIssuing(false)} />
      ) : null}
    </>
  );
}
