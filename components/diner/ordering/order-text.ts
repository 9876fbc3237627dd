import type { Tone } from '@/components/ui/badge';
import type { Order, OrderStatus } from '@/server/domain/qr-ordering';
import { fillText, type TableWords, type TextName } from '../words';

export const statusLooks: Record<OrderStatus, { word: TextName<TableWords>; tone: Tone }> = {
  placed: { word: 'statusPlaced', tone: 'neutral' },
  accepted: { word: 'statusAccepted', tone: 'caution' },
  ready: { word: 'statusReady', tone: 'good' },
  served: { word: 'statusServed', tone: 'neutral' },
  cancelled: { word: 'statusCancelled', tone: 'danger' },
};

/** An order with its state: `Order 12: Being prepared`. */
export const orderText = ({ number, status }: Order, words: TableWords): string =>
  number < 0
    ? [words.heldOrder, words[status === 'cancelled' ? 'statusCancelled' : 'statusHeld']].join(words.colon)
    : [fillText(words.order, { number }), words[statusLooks[status].word]].join(words.colon);
