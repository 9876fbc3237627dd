import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { StaffRouter } from '@/server/trpc/staff/router';
import type { Tone } from '../../ui/badge';
import { useFormat } from '../format';

type Outputs = inferRouterOutputs<StaffRouter>['transactions'];
export type Transaction = Outputs['list']['items'][number];
export type TransactionDetail = Outputs['get'];
export type VoidPreview = Outputs['voidPreview'];

export const statusTones = { completed: 'neutral', refused: 'caution', voided: 'danger' } as const satisfies Record<
  Transaction['status'],
  Tone
>;

/** How transactions are spoken of. */
export function useTransactionWords() {
  const t = useTranslations('transactions');
  const { money, movement, number } = useFormat();
  return useMemo(() => {
    const type = (one: Transaction['type']) => t(`types.${one ?? 'unseen'}`);
    const points = (count: number) => t('points', { count });
    return {
      type,
      points,
      amount: ({ billAmount }: Transaction) => (billAmount === null ? null : money(billAmount)),
      /** What the balance gained or lost: `+$12.00`, `−30 pts`, or both. */
      balance: ({ storedValue, points: moved }: Transaction) =>
        [
          storedValue === 0 ? null : movement(storedValue),
          moved === 0 ? null : `${moved > 0 ? '+' : '−'}${points(Math.abs(moved))}`,
        ]
          .filter(Boolean)
          .join(', ') || null,
      /** For screen readers: what tells it from its neighbours. */
      name: (one: Transaction) => `${type(one.type)} ${one.transactionId ?? one.uid.slice(-8)}`,
      number,
    };
  }, [t, money, movement, number]);
}
