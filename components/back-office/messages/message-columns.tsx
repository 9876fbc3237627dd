import type { inferRouterOutputs } from '@trpc/server';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Badge, type Tone } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../format';

type Message = inferRouterOutputs<StaffRouter>['messages']['list']['items'][number];

const tones: Record<Message['state'], Tone> = {
  queued: 'caution',
  sent: 'neutral',
  delivered: 'good',
  read: 'good',
  failed: 'danger',
  inbox: 'neutral',
};

export function useMessageColumns(): Column<Message>[] {
  const t = useTranslations('messages');
  const format = useFormat();
  return [
    {
      id: 'message',
      header: t('message'),
      cell: ({ kind, code }) => (
        <>
          {kind === 'pin' ? t('newPin') : t('other')}
          {code ? (
            <span className="ml-3 font-mono text-base font-semibold tracking-[0.15em]">
              <span className="sr-only">{t('code')} </span>
              {code}
            </span>
          ) : null}
        </>
      ),
    },
    {
      id: 'customer',
      header: t('customer'),
      cell: ({ customerId, customerName, phone }) => (
        <>
          <Link href={`/customers/${customerId}`} className="rounded font-medium underline-offset-4 hover:underline">
            {customerName}
          </Link>
          <span className="block text-sm text-muted">{phone}</span>
        </>
      ),
    },
    { id: 'state', header: t('state'), cell: (message) => <State {...message} /> },
    { id: 'time', header: t('time'), cell: ({ createdAt }) => format.dateTime(createdAt) },
  ];
}

function State({ state, attempts, failure, customerId }: Message) {
  const t = useTranslations('messages');
  const tries = t('attempts', { attempts });
  return (
    <>
      <Badge tone={tones[state]}>{t(state)}</Badge>
      {failure ? (
        <span className="mt-1 block text-sm text-muted">
          {failure}
          {tries ? ` · ${tries}` : ''}
        </span>
      ) : null}
      {state === 'failed' ? (
        // Its code is erased: only another one can be sent.
        <Link
          href={`/customers/${customerId}`}
          className="mt-1 inline-block rounded text-sm font-medium text-accent underline underline-offset-4"
        >
          {t('sendNewPin')}
        </Link>
      ) : null}
    </>
  );
}
