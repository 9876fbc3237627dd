import { useMutation, useQueryClient } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Attention } from '@/server/domain/reports';
import { useRefusalText } from '../../calls/refusal';
import { Button } from '../../ui/button';
import { Link } from '../../ui/link';
import { useToast } from '../../ui/toast';
import { usePlace } from '../office/place';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';

type OverpaidBill = NonNullable<Attention['overpaidBills']>[number];

/** A bill with too much paid on it. It stays until a redemption is voided, or someone marks it as resolved. */
export function OverpaidItem({ bill: { billUid, amount, ...bill } }: { bill: OverpaidBill }) {
  const t = useTranslations('home');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refusalText = useRefusalText();
  const { money } = useFormat();
  const place = usePlace();
  const settle = useMutation(
    trpc.bills.settleOverpaid.mutationOptions({
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => queryClient.invalidateQueries(trpc.home.attention.queryFilter()),
    }),
  );
  return (
    <li className="-mx-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2 sm:flex-nowrap">
      <HandCoins className="size-5 shrink-0 text-danger" aria-hidden="true" />
      <Link
        href={`/bills/${billUid}`}
        className="min-w-0 flex-1 basis-48 py-2 text-[0.9375rem] underline-offset-4 hover:underline"
      >
        {t('billOverpaid', { amount: money(amount), place: place(bill) })}
      </Link>
      <Button
        variant="secondary"
        size="small"
        busy={settle.isPending}
        onClick={() => settle.mutate({ billUid, amount })}
      >
        {t('dealtWith')}
      </Button>
    </li>
  );
}
