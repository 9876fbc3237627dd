import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { OrderMove, OrderStatus, StoreOrder } from '@/server/domain/qr-ordering';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import { useOrderPlace } from './order-store';

/**
 * Updates an order's state, and offers to undo it, except for a cancellation. The board then shows the current state,
 * even if someone else has changed it.
 */
export function useMoveOrder(order: StoreOrder) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const { toast, settle } = useChange('orders');
  const place = useOrderPlace();
  const undo = useMutation(trpc.orders.undo.mutationOptions(settle));
  const change = useMutation(
    trpc.orders.setStatus.mutationOptions({
      ...settle,
      onSuccess: ({ status }) => {
        const values = { place: place(order), status: t(status) };
        const undoable = undoableMove(order.status, status);
        if (status === 'cancelled') toast.done(t('cancelledToast', values));
        else if (undoable)
          toast.done(t('movedToast', values), () => undo.mutate({ orderId: order.orderId, ...undoable }));
      },
    }),
  );
  const move = (status: OrderMove['status']) => change.mutate({ orderId: order.orderId, status });
  return { move, isMoving: change.isPending };
}

function undoableMove(to: OrderStatus, from: OrderStatus) {
  if (to === 'served' || to === 'cancelled' || from === 'placed' || from === 'cancelled') return null;
  return { from, to };
}
