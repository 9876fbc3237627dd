import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { Order, OrderMove } from '@/server/domain/qr-ordering';
import { usePlace } from '../shell/place';
import { useTRPC } from '../shell/trpc';
import { useChange } from '../state/use-change';

/** Updates an order's state. The board then shows its current state, even if someone else has changed it. */
export function useMoveOrder(order: Order) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const { toast, settle } = useChange('orders');
  const place = usePlace();
  const change = useMutation(
    trpc.orders.setStatus.mutationOptions({
      ...settle,
      onSuccess: ({ status }) => {
        if (status === 'cancelled') toast.done(t('cancelledToast', { place: place(order) }));
      },
    }),
  );
  const move = (status: OrderMove['status']) => change.mutate({ orderId: order.orderId, status });
  return { move, isMoving: change.isPending };
}
