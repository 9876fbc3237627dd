'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import { Facts } from '../../ui/facts';
import { PageHeader } from '../../ui/page-header';
import { useTRPC } from '../office/trpc';
import { CopyBlock } from '../state/copy-block';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { DeliveryResult, DeliveryState } from './endpoint-facts';

const toTheSecond = { dateStyle: 'medium', timeStyle: 'medium' } as const;
/** While a delivery is due, the person waits for its result. */
const watchMs = 1_000;

/** One delivery: the request, and the response. */
export function DeliveryScreen({ endpointId, eventId }: { endpointId: string; eventId: string }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const {
    data: delivery,
    error,
    refetch,
  } = useQuery({
    ...trpc.webhooks.delivery.queryOptions({ endpointId, eventId }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'pending' ? watchMs : false),
  });
  const back = { href: `/webhooks/${endpointId}`, label: t('endpoint') };
  if (!delivery) {
    return (
      <>
        <PageHeader title={t('delivery')} back={back} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  const { type, state, request, response, attempts } = delivery;
  return (
    <>
      <PageHeader
        title={t(`types.${type}`)}
        back={back}
        badge={
          <span role="status">
            <DeliveryState delivery={delivery} />
          </span>
        }
        actions={
          state === 'pending' && attempts === 0 ? null : <ResendButton endpointId={endpointId} eventId={eventId} />
        }
      />
      <DeliveryFacts delivery={delivery} />
      <div className="mt-8 flex flex-col gap-5">
        <CopyBlock title={t('request')} value={formatJson(request)} />
        {response ? (
          <CopyBlock title={t('response')} value={response} />
        ) : response === '' ? (
          <p className="text-sm text-muted">{t('noBody')}</p>
        ) : null}
      </div>
    </>
  );
}

const formatJson = (text: string) => JSON.stringify(JSON.parse(text), null, 2);

function DeliveryFacts({ delivery }: { delivery: Parameters<typeof DeliveryResult>[0]['delivery'] }) {
  const t = useTranslations('webhooks');
  const format = useFormat();
  const formatter = useFormatter();
  const { eventId, state, attempts, durationMs, attemptedAt, nextAttemptAt } = delivery;
  const time = (at: Date | string) => formatter.dateTime(new Date(at), toTheSecond);
  const next = nextAttemptAt && (new Date(nextAttemptAt) > new Date() ? time(nextAttemptAt) : t('sending'));
  return (
    <Facts
      items={[
        { term: t('result'), value: <DeliveryResult delivery={delivery} /> },
        {
          term: t('duration'),
          value: durationMs === null ? null : t('durationMs', { value: format.number(durationMs) }),
        },
        { term: t('attempts'), value: format.number(attempts) },
        { term: t('lastAttempt'), value: attemptedAt && time(attemptedAt) },
        ...(state === 'pending' ? [{ term: t('nextAttempt'), value: next }] : []),
        { term: t('eventId'), value: <code className="font-mono text-xs">{eventId}</code> },
      ]}
    />
  );
}

function ResendButton(input: { endpointId: string; eventId: string }) {
  const t = useTranslations('webhooks');
  const { toast, settle } = useChange('webhooks');
  const resend = useMutation(
    useTRPC().webhooks.resend.mutationOptions({ ...settle, onSuccess: () => toast.done(t('resentToast')) }),
  );
  return (
    <Button variant="secondary" busy={resend.isPending} onClick={() => resend.mutate(input)}>
      {t('resend')}
    </Button>
  );
}
