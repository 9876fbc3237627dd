import { useTranslations } from 'next-intl';
import { DataTable } from '../../ui/data-table';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import type { TransactionDetail } from './transaction-words';

/** The bill of a sale: its lines, totals and payments. */
export function SaleBill({ sale }: { sale: NonNullable<TransactionDetail['sale']> }) {
  const t = useTranslations('transactions');
  const { money, number } = useFormat();
  const sums = (['subtotal', 'discount', 'serviceCharge', 'tax', 'rounding'] as const)
    .filter((name) => name === 'subtotal' || sale[name] !== 0)
    .map((name) => ({ term: t(name), amount: name === 'discount' ? -sale[name] : sale[name] }));
  const payments = sale.payments.map(({ method, amount }, at) => ({ at, term: t('paidWith', { method }), amount }));
  const rows = sale.lines.map((line, at) => ({ at, ...line }));
  return (
    <Section title={t('saleTitle')}>
      {rows.length > 0 ? (
        <DataTable
          caption={t('saleTitle')}
          rows={rows}
          rowKey={({ at }) => String(at)}
          columns={[
            {
              id: 'item',
              header: t('item'),
              cell: ({ name, plu }) => (
                <>
                  {name} <span className="font-mono text-xs font-normal text-muted">{plu}</span>
                </>
              ),
            },
            { id: 'quantity', header: t('quantity'), align: 'end', cell: ({ quantity }) => number(quantity) },
            { id: 'unitPrice', header: t('unitPrice'), align: 'end', cell: ({ unitPrice }) => money(unitPrice) },
            { id: 'amount', narrow: 'aside', header: t('amount'), align: 'end', cell: ({ amount }) => money(amount) },
          ]}
        />
      ) : null}
      <dl className="mt-4 ml-auto flex max-w-xs flex-col gap-1.5 text-sm">
        {sums.map((one) => (
          <Sum key={one.term} {...one} />
        ))}
        <div className="border-t border-line pt-1.5 font-semibold">
          <Sum term={t('total')} amount={sale.total} isStrong />
        </div>
        {payments.map(({ at, ...one }) => (
          <Sum key={at} {...one} />
        ))}
      </dl>
    </Section>
  );
}

function Sum({ term, amount, isStrong = false }: { term: string; amount: number; isStrong?: boolean }) {
  const { money } = useFormat();
  return (
    <div className="flex justify-between gap-6">
      <dt className={isStrong ? undefined : 'text-muted'}>{term}</dt>
      <dd className="tabular-nums">{money(amount)}</dd>
    </div>
  );
}
