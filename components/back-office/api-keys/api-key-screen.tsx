'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Facts } from '../../ui/facts';
import { PageHeader } from '../../ui/page-header';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { AccessDialog } from './access-dialog';
import { type ApiKey, KeyEnds, KeyScopes, KeyState } from './key-facts';
import { LimitsDialog } from './limits-dialog';
import { RequestList } from './request-list';
import { RotateDialog } from './rotate-dialog';

export function ApiKeyScreen({ apiKeyId }: { apiKeyId: string }) {
  const t = useTranslations('apiKeys');
  const trpc = useTRPC();
  const { data: apiKey, error, refetch } = useQuery(trpc.apiKeys.get.queryOptions({ apiKeyId }));
  const back = { href: '/api-keys', label: t('title') };
  if (!apiKey) {
    return (
      <>
        <PageHeader title={t('key')} back={back} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={apiKey.name}
        back={back}
        badge={<KeyState apiKey={apiKey} />}
        actions={<KeyActions apiKey={apiKey} />}
      />
      <KeyFacts apiKey={apiKey} />
      <RequestList apiKeyId={apiKeyId} />
    </>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const { store, networks, ratePerSecond, rateBurst, createdAt, lastUsedAt, expiresAt, revokedAt } = apiKey;
  return (
    <Facts
      items={[
        { term: t('key'), value: <KeyEnds apiKey={apiKey} /> },
        { term: tCommon('store'), value: store ? `${store.name} (${store.storeCode})` : tCommon('allStores') },
        { term: t('scope'), value: <KeyScopes apiKey={apiKey} /> },
        { term: t('networks'), value: networks.join(', ') || t('anyNetwork') },
        {
          term: t('limits'),
          value: t('limitsOf', { rate: format.number(ratePerSecond), burst: format.number(rateBurst) }),
        },
        { term: t('created'), value: format.dateTime(createdAt) },
        { term: t('lastUsed'), value: lastUsedAt ? format.dateTime(lastUsedAt) : t('neverUsed') },
        ...(expiresAt && !revokedAt ? [{ term: t('expires'), value: format.dateTime(expiresAt) }] : []),
        ...(revokedAt ? [{ term: t('revokedAt'), value: format.dateTime(revokedAt) }] : []),
      ]}
    />
  );
}

function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  const trpc = useTRPC();
  const { toast, settle } = useChange('apiKeys');
  const [openDialog, setOpenDialog] = useState<'access' | 'limits' | 'rotate' | 'revoke' | null>(null);
  const { apiKeyId, name, state } = apiKey;
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      ...settle,
      onSuccess: () => toast.done(t('revokedToast', { name })),
    }),
  );
  const close = () => setOpenDialog(null);
  const isWorking = state === 'active' || state === 'ending';
  return (
    <>
      {isWorking ? (
        <>
          <Button variant="secondary" onClick={() => setOpenDialog('access')}>
            {t('setAccess')}
          </Button>
          <Button variant="secondary" onClick={() => setOpenDialog('limits')}>
            {t('setLimits')}
          </Button>
        </>
      ) : null}
      {state === 'active' ? (
        <Button variant="secondary" onClick={() => setOpenDialog('rotate')}>
          {t('rotate')}
        </Button>
      ) : null}
      {isWorking ? (
        <Button variant="danger" busy={revoke.isPending} onClick={() => setOpenDialog('revoke')}>
          {t('revoke')}
        </Button>
      ) : null}
      {openDialog === 'access' ? <AccessDialog apiKey={apiKey} onClose={close} /> : null}
      {openDialog === 'limits' ? <LimitsDialog apiKey={apiKey} onClose={close} /> : null}
      {openDialog === 'rotate' ? <RotateDialog apiKey={apiKey} onClose={close} /> : null}
      <ConfirmDialog
        open={openDialog === 'revoke'}
        title={t('revokeTitle', { name })}
        confirmLabel={t('revoke')}
        isDangerous
        onCancel={close}
        onConfirm={() => {
          close();
          revoke.mutate({ apiKeyId });
        }}
      >
        <KeyEnds apiKey={apiKey} />
        <p className="mt-2">{t('revokeText')}</p>
      </ConfirmDialog>
    </>
  );
}
