import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { formatSigned } from '@/server/domain/kernel/money';
import type { StaffRouter } from '@/server/trpc/staff/router';
import type { Tone } from '../../ui/badge';
import { useFormat } from '../state/format';

type Outputs = inferRouterOutputs<StaffRouter>['transactions'];
export type Transaction = Outputs['list']['items'][number];
export type TransactionDetail = Outputs['get'];
export type VoidPreview = Outputs['voidPreview'];

export const statusTones = { completed: 'neutral', refused: 'caution', voided: 'danger' } as const satisfies Record<
  Transaction['status'],
  Tone
>;

/** Longer than a till's clock may differ from ours. */
const lateMs = 5 * 60_000;
/** True if a till sent it late, for example after a time offline. */
export const isLate = ({ createdAt, occurredAt }: Pick<Transaction, 'createdAt' | 'occurredAt'>): boolean =>
  Date.parse(createdAt) - Date.parse(occurredAt) > lateMs;

/** Texts for transactions. */
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
      /** The change of the balance: `+$12.00`, `−30 pts`, or both. */
      balance: ({ storedValue, points: moved }: Transaction) =>
        [storedValue === 0 ? null : movement(storedValue), moved === 0 ? null : formatSigned(moved, points)]
          .filter(Boolean)
          .join(', ') || null,
      /** A name for screen readers that distinguishes it from its neighbours. */
      name: (one: Transaction) => `${type(one.type)} ${one.transactionId ?? one.uid.slice(-8)}`,
      number,
    };
  }, [t, money, movement, number]);
}
