'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Facts } from '../../ui/facts';
import { PageHeader } from '../../ui/page-header';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { DeliveryList } from './delivery-list';
import { EditEndpointDialog, RotateSecretDialog } from './endpoint-dialogs';
import { type Endpoint, EndpointState, shortUrl } from './endpoint-facts';

/** An endpoint with its deliveries. */
export function WebhookScreen({ endpointId }: { endpointId: string }) {
  const t = useTranslations('webhooks');
  const { data: endpoint, error, refetch } = useQuery(useTRPC().webhooks.get.queryOptions({ endpointId }));
  const back = { href: '/webhooks', label: t('title') };
  if (!endpoint) {
    return (
      <>
        <PageHeader title={t('endpoint')} back={back} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={endpoint.description || shortUrl(endpoint.url)}
        back={back}
        badge={<EndpointState endpoint={endpoint} />}
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <Trouble endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} />
      <DeliveryList endpointId={endpointId} />
    </>
  );
}

/** Why the endpoint receives nothing. */
function Trouble({ endpoint: { state, disabledReason, failingSince } }: { endpoint: Endpoint }) {
  const t = useTranslations('webhooks');
  const title = disabledReason ? t('disabledTitle') : state === 'enabled' && failingSince ? t('failingTitle') : null;
  if (title === null) return null;
  return (
    <div className="mb-6">
      <Alert tone="danger" title={title}>
        {disabledReason ? t(`${disabledReason}Reason`) : t('failingText')}
      </Alert>
    </div>
  );
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations('webhooks');
  const format = useFormat();
  const { url, eventTypes, createdAt, failingSince, disabledAt, previousSecretUntil } = endpoint;
  const time = (term: string, at: Date | string | null) => (at ? [{ term, value: format.dateTime(at) }] : []);
  return (
    <Facts
      items={[
        { term: t('url'), value: url },
        { term: t('events'), value: eventTypes?.map((type) => t(`types.${type}`)).join(', ') ?? t('allEvents') },
        { term: t('created'), value: format.dateTime(createdAt) },
        ...time(t('failingSince'), failingSince),
        ...time(t('disabled'), disabledAt),
        ...time(t('bothSecrets'), previousSecretUntil),
      ]}
    />
  );
}

function EndpointActions({ endpoint: { endpointId, state, url }, endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const router = useRouter();
  const { toast, settle } = useChange('webhooks');
  const [openDialog, setOpenDialog] = useState<'edit' | 'rotate' | 'pause' | 'remove' | null>(null);
  const close = () => setOpenDialog(null);
  const done = (text: string) => ({ ...settle, onSuccess: () => toast.done(text) });
  const pause = useMutation(trpc.webhooks.pause.mutationOptions(done(t('pausedToast'))));
  const resume = useMutation(trpc.webhooks.resume.mutationOptions(done(t('resumedToast'))));
  const remove = useMutation(
    trpc.webhooks.remove.mutationOptions({
      onError: settle.onError,
      onSuccess: () => {
        toast.done(t('removedToast'));
        router.push('/webhooks');
      },
    }),
  );
  const sendTest = useMutation(
    trpc.webhooks.sendTest.mutationOptions({
      ...settle,
      onSuccess: ({ eventId }) => router.push(`/webhooks/${endpointId}/deliveries/${eventId}`),
    }),
  );
  return (
    <>
      {state === 'enabled' ? (
        <>
          <Button busy={sendTest.isPending} onClick={() => sendTest.mutate({ endpointId })}>
            {t('sendTest')}
          </Button>
          <Button variant="secondary" busy={pause.isPending} onClick={() => setOpenDialog('pause')}>
            {t('pause')}
          </Button>
        </>
      ) : (
        <Button busy={resume.isPending} onClick={() => resume.mutate({ endpointId })}>
          {state === 'paused' ? t('resume') : t('enable')}
        </Button>
      )}
      <Button variant="secondary" onClick={() => setOpenDialog('edit')}>
        {t('edit')}
      </Button>
      <Button variant="secondary" onClick={() => setOpenDialog('rotate')}>
        {t('rotate')}
      </Button>
      <Button variant="danger" busy={remove.isPending} onClick={() => setOpenDialog('remove')}>
        {t('remove')}
      </Button>
      {openDialog === 'edit' ? <EditEndpointDialog endpoint={endpoint} onClose={close} /> : null}
      {openDialog === 'rotate' ? <RotateSecretDialog endpointId={endpointId} onClose={close} /> : null}
      <ConfirmDialog
        open={openDialog === 'pause'}
        title={t('pauseTitle')}
        confirmLabel={t('pause')}
        onCancel={close}
        onConfirm={() => {
          close();
          pause.mutate({ endpointId });
        }}
      >
        {t('pauseText')}
      </ConfirmDialog>
      <ConfirmDialog
        open={openDialog === 'remove'}
        title={t('removeTitle')}
        confirmLabel={t('remove')}
        isDangerous
        onCancel={close}
        onConfirm={() => {
          close();
          remove.mutate({ endpointId });
        }}
      >
        <p className="font-medium wrap-anywhere">{url}</p>
        <p className="mt-2">{t('removeText')}</p>
      </ConfirmDialog>
    </>
  );
}
