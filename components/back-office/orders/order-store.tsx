'use client';

import { useTranslations } from 'next-intl';
import { createContext, useCallback, useContext } from 'react';
import type { StoreOrder } from '@/server/domain/qr-ordering';
import { usePlace } from '../office/place';

/** The names of stores by id on a board of several stores; null on a board of one. */
export const StoreNames = createContext<ReadonlyMap<string, string> | null>(null);

/** Returns the name of an order's store, or null if the board is of one store. */
export function useStoreName() {
  const names = useContext(StoreNames);
  return useCallback(({ storeId }: Pick<StoreOrder, 'storeId'>) => names?.get(storeId) ?? null, [names]);
}

/** Names an order by its table or bill and, on a board of several stores, by its store. */
export function useOrderPlace() {
  const t = useTranslations('orders');
  const place = usePlace();
  const storeName = useStoreName();
  return useCallback(
    (order: Pick<StoreOrder, 'storeId' | 'table' | 'billId'>) => {
      const store = storeName(order);
      return store === null ? place(order) : t('placeAtStore', { place: place(order), store });
    },
    [t, place, storeName],
  );
}
