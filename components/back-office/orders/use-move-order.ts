import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { Order, OrderMove } from '@/server/domain/qr-ordering/schemas';
import { useToast } from '../../ui/toast';
import { usePlace } from '../place';
import { useRefusalText } from '../refusal';
import { useTRPC } from '../trpc';

/** Moves an order on; the board shows it where it stands then, whoever moved it. */
export function useMoveOrder(order: Order) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const place = usePlace();
  const refusalText = useRefusalText();
  const change = useMutation(
    trpc.orders.setStatus.mutationOptions({
      onSuccess: ({ status }) => {
        if (status === 'cancelled') toast.done(t('cancelledToast', { place: place(order) }));
      },
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => queryClient.invalidateQueries({ queryKey: [['orders']] }),
    }),
  );
  const move = (status: OrderMove['status']) => change.mutate({ orderId: order.orderId, status });
  return { move, isMoving: change.isPending };
}
