'use client';

import { useMutation } from '@tanstack/react-query';
import { Check, HandPlatter, type LucideIcon, ReceiptText } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import type { TableCallKind, WaitingCall } from '@/server/domain/qr-ordering';
import { Button } from '../../ui/button';
import { useKeptFocus } from '../../ui/use-kept-focus';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import { useOrderPlace } from './order-store';
import { WaitingTime } from './waiting-time';

const looks = {
  staff: { text: 'callsStaff', icon: HandPlatter },
  bill: { text: 'asksForBill', icon: ReceiptText },
} as const satisfies Record<TableCallKind, { text: string; icon: LucideIcon }>;

/** Names a call's table and, on a board of several stores, its store. */
export function useCallText() {
  const t = useTranslations('orders');
  const place = useOrderPlace();
  return ({ kind, billId, ...call }: WaitingCall) =>
    t(looks[kind].text, { place: place({ ...call, billId: billId ?? '' }) });
}

interface TableCallsProps {
  /** Oldest first. */
  calls: WaitingCall[];
  lateOrderMinutes: number;
}

/** The waiting calls of guests. */
export function TableCalls({ calls, lateOrderMinutes }: TableCallsProps) {
  const t = useTranslations('orders');
  const id = useId();
  const kept = useKeptFocus<HTMLElement>('li');
  return (
    <section
      aria-labelledby={calls.length > 0 ? id : undefined}
      tabIndex={-1}
      {...kept}
      className={calls.length > 0 ? 'mb-6' : undefined}
    >
      {calls.length > 0 ? (
        <>
          <h2 id={id} className="mb-3 px-1 font-semibold tracking-tight">
            {t('calls')}
          </h2>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-3">
            {calls.map((call) => (
              <Call key={call.callId} call={call} lateOrderMinutes={lateOrderMinutes} />
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function Call({ call, lateOrderMinutes }: { call: WaitingCall; lateOrderMinutes: number }) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const text = useCallText()(call);
  const { toast, settle } = useChange('orders');
  const answer = useMutation(
    trpc.orders.answerCall.mutationOptions({
      ...settle,
      onSuccess: () => toast.done(t('answeredToast', { call: text })),
    }),
  );
  const Icon = looks[call.kind].icon;
  return (
    <li className="flex items-center gap-3 rounded-2xl border border-edge bg-surface p-4">
      <Icon className="size-6 shrink-0 text-accent" aria-hidden="true" />
      <div className="min-w-0 grow">
        <p className="font-semibold tracking-tight wrap-anywhere">{text}</p>
        <WaitingTime placedAt={call.calledAt} lateOrderMinutes={lateOrderMinutes} />
      </div>
      <Button
        size="small"
        variant="secondary"
        aria-label={t('answerCall', { call: text })}
        busy={answer.isPending}
        onClick={() => answer.mutate({ callId: call.callId })}
      >
        <Check className="size-4" aria-hidden="true" />
        {t('answered')}
      </Button>
    </li>
  );
}
