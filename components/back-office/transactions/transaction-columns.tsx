import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../state/format';
import { isLate, statusTones, type Transaction, useTransactionWords } from './transaction-words';

/** The columns of every list of transactions. */
export function useTransactionColumns(): Column<Transaction>[] {
  const t = useTranslations('transactions');
  const tCommon = useTranslations('common');
  const words = useTransactionWords();
  const format = useFormat();
  const none = (
    <span data-quiet className="text-muted">
      –
    </span>
  );
  return [
    {
      id: 'transaction',
      header: t('transaction'),
      cell: ({ type, transactionId }) => (
        <>
          {words.type(type)}
          {transactionId ? (
            <span className="block font-mono text-xs font-normal text-muted wrap-anywhere">{transactionId}</span>
          ) : null}
        </>
      ),
    },
    {
      id: 'status',
      narrow: 'bare',
      header: tCommon('status'),
      // Shows nothing for the normal state.
      cell: ({ status }) =>
        status === 'completed' ? (
          <span data-quiet className="text-muted">
            {t('statuses.completed')}
          </span>
        ) : (
          <Badge tone={statusTones[status]}>{t(`statuses.${status}`)}</Badge>
        ),
    },
    { id: 'customer', narrow: 'bare', header: t('customer'), cell: ({ customer }) => customer?.name ?? none },
    { id: 'store', narrow: 'bare', header: tCommon('store'), cell: ({ store }) => store?.name ?? none },
    {
      id: 'amount',
      narrow: 'aside',
      header: t('amount'),
      align: 'end',
      cell: (one) => <Amounts amount={words.amount(one)} balance={words.balance(one)} none={none} />,
    },
    { id: 'balance', wideOnly: true, header: t('balance'), align: 'end', cell: (one) => words.balance(one) ?? none },
    {
      id: 'time',
      narrow: 'bare',
      header: t('time'),
      cell: (one) => (
        <span className="sm:whitespace-nowrap">
          {format.dateTime(one.createdAt)}
          {isLate(one) ? (
            <span className="block text-xs text-muted">{t('madeAt', { time: format.dateTime(one.occurredAt) })}</span>
          ) : null}
        </span>
      ),
    },
  ];
}

interface AmountsProps {
  amount: string | null;
  /** The change of the balance, with its sign. */
  balance: string | null;
  none: ReactNode;
}

/** The amount of the bill. On a phone, which has no column for it, the change of the balance comes first. */
function Amounts({ amount, balance, none }: AmountsProps) {
  if (balance === null) return amount ?? none;
  return (
    <>
      <span className="block font-medium whitespace-nowrap sm:hidden">{balance}</span>
      <span className="max-sm:text-[0.8125rem] max-sm:text-muted">
        {amount ?? <span className="max-sm:hidden">{none}</span>}
      </span>
    </>
  );
}
