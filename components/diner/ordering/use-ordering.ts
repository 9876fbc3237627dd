import { useState } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { fillText, type TableWords } from '../words';
import type { Outcome } from './cart/outbox';
import { type DeliveryState, useCart } from './use-cart';
import { useOnline } from './use-online';
import type { OutcomeText } from './use-said';

/** Rejections that the reloaded menu explains. */
const changes = new Set<string | null>(['items_unavailable', 'options_changed', 'prices_changed']);
/** Rejections because the table has closed. */
const closings = new Set<string | null>(['qr_code_closed', 'qr_code_not_found']);

interface OrderingProps {
  client: DinerClient;
  token: string;
  /** Null once the table has closed. */
  table: OpenTable | null;
  words: TableWords;
  announce: (text: string) => void;
  /** Loads the table again. */
  refresh: () => void;
}

/** This phone's cart and its orders, with the outcome of the last one. */
export function useOrdering({ client, token, table, words, announce, refresh }: OrderingProps) {
  const [outcome, setOutcome] = useState<OutcomeText | null>(null);
  /** The outcome of an order that was pending when the table closed. */
  const [lastOutcome, setLastOutcome] = useState<OutcomeText | null>(null);
  const onOutcome = (found: Outcome) => {
    // The table's orders decide whether to ask about a held order.
    refresh();
    if (found.kind === 'held') return;
    const reason = 'reason' in found ? found.reason : null;
    const isGood = found.kind === 'placed';
    const refused = changes.has(reason) ? words.orderNotPlaced : words.orderRefused;
    const text = isGood ? placedText(table, words) : refused;
    setOutcome({ text, isGood });
    if (!table || closings.has(reason)) setLastOutcome({ text, isGood });
    announce(text);
  };
  const { delivery, ...cart } = useCart(client, token, table, onOutcome);
  const isOffline = !useOnline();
  const isWaiting = isOffline && cart.cart.pending?.isUnsent;
  const shownDelivery: DeliveryState = isWaiting ? 'waiting' : delivery;
  return { ...cart, delivery: shownDelivery, isOffline, outcome, setOutcome, lastOutcome };
}
export type Ordering = ReturnType<typeof useOrdering>;

function placedText(table: OpenTable | null, words: TableWords): string {
  if (table?.firstOrderWaits) return words.orderHeldByStaff;
  return table?.waitMinutes ? fillText(words.orderPlacedWait, { minutes: table.waitMinutes }) : words.orderPlaced;
}
