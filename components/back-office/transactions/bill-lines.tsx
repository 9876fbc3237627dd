import { useTranslations } from 'next-intl';
import { classNames } from '../../ui/class-names';
import { DataTable } from '../../ui/data-table';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';

interface Bill {
  lines: { plu: string; name: string; quantity: number; unitPrice: number; amount: number }[];
  subtotal: number;
  discount: number;
  serviceCharge: number;
  tax: number;
  rounding: number;
  total: number;
  taxIncluded: { rate: number | null; amount: number }[];
}

interface BillLinesProps {
  title: string;
  bill: Bill;
  /** Shown below the total: the amounts paid, and how. */
  below: { term: string; amount: number; isStrong?: boolean }[];
}

/** A bill's lines and totals. */
export function BillLines({ title, bill, below }: BillLinesProps) {
  const t = useTranslations('transactions');
  const { money, number, percent } = useFormat();
  const sums = (['subtotal', 'discount', 'serviceCharge', 'tax', 'rounding'] as const)
    .filter((name) => name === 'subtotal' || bill[name] !== 0)
    .map((name) => ({ term: t(name), amount: name === 'discount' ? -bill[name] : bill[name] }));
  const rows = bill.lines.map((line, at) => ({ at, ...line }));
  return (
    <Section title={title}>
      {rows.length > 0 ? (
        <DataTable
          caption={title}
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
        <Sum term={t('total')} amount={bill.total} isStrong isBelowLine />
        {bill.taxIncluded.map(({ rate, amount }) => (
          <Sum
            key={rate}
            term={t('includedTax', { rate: rate === null ? '' : percent(Math.round(rate * 100)) })}
            amount={amount}
          />
        ))}
        {below.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: payments have no other key, and keep their places
          <Sum key={at} {...one} />
        ))}
      </dl>
    </Section>
  );
}

interface SumProps {
  term: string;
  amount: number;
  isStrong?: boolean;
  isBelowLine?: boolean;
}

function Sum({ term, amount, isStrong = false, isBelowLine = false }: SumProps) {
  const { money } = useFormat();
  return (
    <div
      className={classNames(
        'flex justify-between gap-6',
        isStrong && 'font-semibold',
        isBelowLine && 'border-t border-line pt-1.5',
      )}
    >
      <dt className={isStrong ? undefined : 'text-muted'}>{term}</dt>
      <dd className="tabular-nums">{money(amount)}</dd>
    </div>
  );
}
