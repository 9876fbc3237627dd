import { useTranslations } from 'next-intl';
import { DataTable } from '../../ui/data-table';
import { Link } from '../../ui/link';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import { type TransactionDetail, useTransactionWords } from './transaction-words';

/** The ledger entries of the transaction and of its void, by lot. */
export function TransactionEntries({ one }: { one: TransactionDetail }) {
  const t = useTranslations('transactions');
  const format = useFormat();
  const words = useTransactionWords();
  return (
    <Section title={t('entries')} description={t('entriesText')}>
      <DataTable
        caption={t('entries')}
        rows={one.entries}
        rowKey={({ id }) => String(id)}
        columns={[
          { id: 'entry', header: t('entry'), cell: ({ kind }) => t(`kinds.${kind}`) },
          { id: 'part', narrow: 'bare', header: t('part'), cell: ({ part }) => t(`parts.${part}`) },
          {
            id: 'amount',
            narrow: 'aside',
            header: t('amount'),
            align: 'end',
            cell: ({ part, amount }) =>
              part === 'points'
                ? `${amount > 0 ? '+' : '−'}${words.points(Math.abs(amount))}`
                : format.movement(amount),
          },
          {
            id: 'lot',
            narrow: 'bare',
            header: t('lot'),
            cell: ({ expiresAt, grantedBy }) => (
              <>
                {expiresAt ? t('lotUntil', { date: format.businessDate(expiresAt) }) : t('lotKeeps')}
                {grantedBy === null || grantedBy === one.uid ? null : (
                  <Link
                    href={`/transactions/${grantedBy}`}
                    className="block w-fit rounded text-muted underline underline-offset-4"
                  >
                    {t('otherLot')}
                  </Link>
                )}
              </>
            ),
          },
          {
            id: 'time',
            narrow: 'bare',
            header: t('time'),
            cell: ({ createdAt }) => <span className="sm:whitespace-nowrap">{format.dateTime(createdAt)}</span>,
          },
        ]}
      />
    </Section>
  );
}
