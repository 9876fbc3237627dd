import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { noticeKind } from '@/server/domain/messaging/schemas';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { useSentence } from '../../messages/use-sentence';
import { Badge, type Tone } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { Link } from '../../ui/link';
import { useFormat } from '../state/format';

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
      cell: ({ kind, code, text }) => (
        <>
          {t.has(kind as never) ? t(kind as never) : t('other')}
          {code ? (
            <span className="ml-3 font-mono text-base font-semibold tracking-[0.15em]">
              <span className="sr-only">{t('itsCode')} </span>
              {code}
            </span>
          ) : null}
          {text ? <span className="mt-1 block max-w-xl text-sm text-muted wrap-anywhere">{text}</span> : null}
        </>
      ),
    },
    {
      id: 'customer',
      narrow: 'bare',
      header: t('customer'),
      cell: ({ customerId, customerName, phone }) => (
        <>
          {customerId === null ? (
            t('stranger')
          ) : (
            <Link href={`/customers/${customerId}`} className="rounded font-medium underline-offset-4 hover:underline">
              {customerName}
            </Link>
          )}
          <span className="block text-sm text-muted">{phone}</span>
        </>
      ),
    },
    { id: 'state', narrow: 'aside', header: t('state'), cell: (message) => <State {...message} /> },
    {
      id: 'time',
      narrow: 'bare',
      header: t('time'),
      cell: ({ createdAt }) => <span className="sm:whitespace-nowrap">{format.dateTime(createdAt)}</span>,
    },
  ];
}

function State({ kind, state, attempts, failure, customerId }: Message) {
  const t = useTranslations('messages');
  const sentenceText = useSentence();
  const tries = t('attempts', { attempts });
  const isNotSent = state === 'failed' && attempts === 0 && noticeKind.safeParse(kind).success;
  return (
    <>
      <Badge tone={isNotSent ? 'neutral' : tones[state]}>{isNotSent ? t('notSent') : t(state)}</Badge>
      {failure ? (
        <span className="mt-1 block text-sm text-muted">
          {sentenceText(failure)}
          {tries ? ` · ${tries}` : ''}
        </span>
      ) : null}
      {state === 'failed' && kind === 'pin' ? (
        // Its code has been erased, so only a new one can be sent.
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
