import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Attention } from '@/server/domain/reports';
import { useRefusalText } from '../../calls/refusal';
import { Button } from '../../ui/button';
import { Link } from '../../ui/link';
import { useToast } from '../../ui/toast';
import { reasonOf } from '../disputes/types';
import { usePlace } from '../office/place';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';

type Dispute = NonNullable<Attention['disputes']>[number];

/** A dispute that waits for an answer, or a lost one until someone marks it as resolved. */
export function DisputeItem({ dispute }: { dispute: Dispute }) {
  const t = useTranslations('home');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const text = useText(dispute);
  const tDisputes = useTranslations('disputes');
  const { dateTime } = useFormat();
  const { disputeId, status, respondBy, billUid, transactionUid, customerId } = dispute;
  const acknowledge = useMutation(
    trpc.disputes.acknowledge.mutationOptions({
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => queryClient.invalidateQueries(trpc.home.attention.queryFilter()),
    }),
  );
  const ofTopUp = transactionUid === null ? `/customers/${customerId}` : `/transactions/${transactionUid}`;
  return (
    <li className="-mx-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2 sm:flex-nowrap">
      <ShieldAlert className="size-5 shrink-0 text-danger" aria-hidden="true" />
      <Link
        href={billUid === null ? ofTopUp : `/bills/${billUid}`}
        className="min-w-0 flex-1 basis-48 py-2 text-[0.9375rem] underline-offset-4 hover:underline"
      >
        {text}
        {status === 'needs_response' && respondBy !== null ? (
          <span className="block text-sm text-muted">{tDisputes('answerBy', { time: dateTime(respondBy) })}</span>
        ) : null}
      </Link>
      {status === 'lost' ? (
        <Button
          variant="secondary"
          size="small"
          busy={acknowledge.isPending}
          onClick={() => acknowledge.mutate({ disputeId })}
        >
          {t('dealtWith')}
        </Button>
      ) : null}
    </li>
  );
}

function useText(dispute: Dispute): string {
  const t = useTranslations('disputes');
  const { money } = useFormat();
  const placeOf = usePlace();
  const { status, amount, spent, customerName, billId, table } = dispute;
  const who = customerName ?? '';
  const place = placeOf({ billId: billId ?? '', table });
  const amounts = { amount: money(amount), spent: money(spent) };
  const isBill = billId !== null;
  if (status === 'lost') {
    if (isBill) return t('billLost', { ...amounts, place });
    return spent > 0 ? t('lostSpent', { ...amounts, who }) : t('lost', { ...amounts, who });
  }
  const reason = t(`reasons.${reasonOf(dispute)}`);
  return isBill ? t('billToAnswer', { ...amounts, reason, place }) : t('toAnswer', { ...amounts, reason, who });
}
