import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { useToast } from '../../ui/toast';
import { useRefusalText } from '../refusal';
import { useTRPC } from '../trpc';

type Inputs = inferRouterInputs<StaffRouter>['stockOuts'];
export type Marking = Inputs['mark']['items'][number];
export type SoldOut = inferRouterOutputs<StaffRouter>['stockOuts']['list']['items'][number];

const keyOf = ({ storeId, plu }: { storeId: string; plu: string }) => ({ storeId, plu });
/** What came back by itself meanwhile is not marked anew. */
const isStillTimed = ({ until }: { until: string | null }) => until === null || new Date(until) > new Date();

/** Marks and restores, each with the way to undo it. */
export function useStockOuts() {
  const t = useTranslations('stockOuts');
  const trpc = useTRPC();
  const toast = useToast();
  const refusalText = useRefusalText();
  const queryClient = useQueryClient();
  const options = {
    onError: (error: unknown) => toast.failed(refusalText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [['stockOuts']] }),
  };
  const marking = useMutation(trpc.stockOuts.mark.mutationOptions(options));
  const restoring = useMutation(trpc.stockOuts.restore.mutationOptions(options));

  function markAgain(items: Marking[]): void {
    if (items.length > 0) marking.mutate({ items });
  }

  function mark(items: Marking[]): void {
    marking.mutate(
      { items },
      {
        onSuccess: ({ added, changed }) => {
          const count = added.length + changed.length;
          if (count === 0) return toast.done(t('nothingToMark'));
          toast.done(t('marked', { count }), () => {
            if (added.length > 0) restoring.mutate({ items: added.map(keyOf) });
            markAgain(changed.filter(isStillTimed));
          });
        },
      },
    );
  }

  function restore(items: { storeId: string; plu: string }[]): void {
    restoring.mutate(
      { items: items.map(keyOf) },
      {
        onSuccess: ({ restored }) =>
          toast.done(t('restored', { count: restored.length }), () => markAgain(restored.filter(isStillTimed))),
      },
    );
  }

  return { mark, restore };
}
