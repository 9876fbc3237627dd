import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { useFormat } from '../format';
import { statusTones, type Transaction, useTransactionWords } from './transaction-words';

/** Of every list of transactions. */
export function useTransactionColumns(): Column<Transaction>[] {
  const t = useTranslations('transactions');
  const tCommon = useTranslations('common');
  const words = useTransactionWords();
  const format = useFormat();
  const none = <span className="text-muted">–</span>;
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
      header: tCommon('status'),
      // What is as it should be stays quiet.
      cell: ({ status }) =>
        status === 'completed' ? (
          <span className="text-muted">{t('statuses.completed')}</span>
        ) : (
          <Badge tone={statusTones[status]}>{t(`statuses.${status}`)}</Badge>
        ),
    },
    { id: 'customer', header: t('customer'), cell: ({ customer }) => customer?.name ?? none },
    { id: 'store', header: tCommon('store'), cell: ({ store }) => store?.name ?? none },
    { id: 'amount', header: t('amount'), align: 'end', cell: (one) => words.amount(one) ?? none },
    { id: 'balance', header: t('balance'), align: 'end', cell: (one) => words.balance(one) ?? none },
    {
      id: 'time',
      header: t('time'),
      cell: ({ createdAt }) => <span className="sm:whitespace-nowrap">{format.dateTime(createdAt)}</span>,
    },
  ];
}
