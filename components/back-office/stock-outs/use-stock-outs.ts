import { useMutation } from '@tanstack/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import { useMerchantClock } from '../state/use-merchant-clock';

type Inputs = inferRouterInputs<StaffRouter>['stockOuts'];
export type Marking = Inputs['mark']['items'][number];
export type SoldOut = inferRouterOutputs<StaffRouter>['stockOuts']['list']['items'][number];

const keyOf = ({ storeId, plu }: { storeId: string; plu: string }) => ({ storeId, plu });

/** Marks items as sold out or available, each with an undo. */
export function useStockOuts() {
  const t = useTranslations('stockOuts');
  const trpc = useTRPC();
  const { toast, settle } = useChange('stockOuts');
  const clock = useMerchantClock();
  /** An item that has become available automatically meanwhile is not marked again. */
  const isStillTimed = ({ until }: { until: string | null }) => until === null || new Date(until) > clock();
  const marking = useMutation(trpc.stockOuts.mark.mutationOptions(settle));
  const restoring = useMutation(trpc.stockOuts.restore.mutationOptions(settle));

  function markAgain(items: Marking[]): void {
    if (items.length > 0) marking.mutate({ items });
  }

  // Awaits each mutation, so that either of two quick ones can be undone.
  async function mark(items: Marking[]): Promise<boolean> {
    const marked = await marking.mutateAsync({ items }).catch(() => null);
    if (marked === null) return false;
    const { added, changed } = marked;
    const count = added.length + changed.length;
    if (count === 0) toast.done(t('nothingToMark'));
    else {
      toast.done(t('marked', { count }), () => {
        if (added.length > 0) restoring.mutate({ items: added.map(keyOf) });
        markAgain(changed.filter(isStillTimed));
      });
    }
    return true;
  }

  async function restore(items: { storeId: string; plu: string }[]): Promise<void> {
    const answer = await restoring.mutateAsync({ items: items.map(keyOf) }).catch(() => null);
    if (answer === null) return;
    const { restored } = answer;
    toast.done(t('restored', { count: restored.length }), () => markAgain(restored.filter(isStillTimed)));
  }

  return {
    /** Returns true on success. After a failure, a toast has shown the reason. */
    mark,
    restore,
  };
}
