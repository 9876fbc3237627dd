import { useMutation, useQueryClient } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Attention } from '@/server/domain/reports';
import { useRefusalText } from '../../calls/refusal';
import { Button } from '../../ui/button';
import { Link } from '../../ui/link';
import { useToast } from '../../ui/toast';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';

type RefundAlert = NonNullable<Attention['refundAlerts']>[number];

/** A refund that the ledger does not reflect, with a link to fix it. It stays until someone marks it as resolved. */
export function RefundItem({ alert }: { alert: RefundAlert }) {
  const t = useTranslations('home');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const { money } = useFormat();
  const { topUpRequestId, transactionUid, customerId, customerName, amount, refunded, isOwed } = alert;
  const acknowledge = useMutation(
    trpc.transactions.acknowledgeRefund.mutationOptions({
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => queryClient.invalidateQueries(trpc.home.attention.queryFilter()),
    }),
  );
  const owed = transactionUid === null ? 'notRefunded' : 'refundBounced';
  const kind = isOwed ? owed : refunded >= amount ? 'refunded' : 'partlyRefunded';
  const values = { customer: customerName, amount: money(amount), refunded: money(refunded) };
  return (
    <li className="-mx-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2 sm:flex-nowrap">
      <HandCoins className="size-5 shrink-0 text-danger" aria-hidden="true" />
      <Link
        href={transactionUid === null ? `/customers/${customerId}` : `/transactions/${transactionUid}`}
        className="min-w-0 flex-1 basis-48 py-2 text-[0.9375rem] underline-offset-4 hover:underline"
      >
        {t(kind, values)}
      </Link>
      <Button
        variant="secondary"
        size="small"
        busy={acknowledge.isPending}
        onClick={() => acknowledge.mutate({ topUpRequestId })}
      >
        {t('dealtWith')}
      </Button>
    </li>
  );
}
