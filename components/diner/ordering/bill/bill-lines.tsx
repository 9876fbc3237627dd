import { Badge } from '@/components/ui/badge';
import { unitsOf } from '@/server/domain/kernel/net-lines';
import type { OpenTable } from '@/server/domain/qr-ordering';
import { taxNamer } from '../../tax-name';
import { fillText, formFor } from '../../words';
import { Price, useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { compareWithOrders } from './ordered';
import { paidUnitsOf } from './shares';
import type { DinerBill } from './types';

interface BillLinesProps {
  bill: DinerBill;
  orders: OpenTable['orders'];
}

/** The items, and the amounts added and subtracted. */
export function BillLines({ bill, orders }: BillLinesProps) {
  const { words, table } = useBillPage();
  const { money, language } = useSpeech();
  const { lines, subtotal, discount, serviceCharge, tax, rounding, total } = bill;
  const { mine, missing } = compareWithOrders(bill, orders);
  const paid = paidUnitsOf(bill);
  const count = new Intl.NumberFormat(language);
  const sums = [
    [words.discount, -discount],
    [words.serviceCharge, serviceCharge],
    [table.taxRules.taxName ?? words.tax, tax],
    [words.rounding, rounding],
  ] as const;
  const nameOfTax = taxNamer(table.taxRules.taxName ?? words.tax, language);
  const added = sums.filter(([, amount]) => amount !== 0);
  const notOnBill = bill.state === 'closed' ? null : <NotOnBill {...missing} />;
  if (lines.length === 0) return notOnBill;
  return (
    <section aria-label={words.lines}>
      <ul>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bill is replaced as a whole
          <li key={at} className="flex gap-3 py-1.5 text-[0.9375rem]/6">
            <span className="min-w-6 shrink-0 tabular-nums">{count.format(line.quantity)} ×</span>
            <span className="grow wrap-anywhere">
              {line.name} <Mine units={unitsOf(line)} mine={mine[at] ?? 0} />{' '}
              <Paid units={unitsOf(line)} paid={paid[at] ?? 0} />
            </span>
            <Price amount={line.amount} className="shrink-0 tabular-nums" />
          </li>
        ))}
      </ul>
      <dl className="mt-2 border-t border-line pt-2 text-[0.9375rem]/6">
        {added.length > 0 ? <Sum name={words.subtotal} amount={money(subtotal)} /> : null}
        {added.map(([name, amount]) => (
          <Sum key={name} name={name} amount={amount < 0 ? `−${money(-amount)}` : money(amount)} />
        ))}
        <Sum name={words.total} amount={money(total)} isStrong />
        {bill.taxIncluded.map(({ rate, amount }) => (
          <Sum key={rate} name={fillText(words.includes, { tax: nameOfTax(rate) })} amount={money(amount)} />
        ))}
      </dl>
      {notOnBill}
    </section>
  );
}

/** The orders from phones that the till's bill lacks. The bill's sums do not include them. */
function NotOnBill({ orders, amount }: { orders: number; amount: number }) {
  const { words } = useBillPage();
  const { money, language, priceNote } = useSpeech();
  if (orders === 0) return null;
  const text = formFor(words.notOnBill, orders, language);
  return (
    <div className="notice-caution mt-3 text-[0.9375rem]/6">
      <p className="font-medium">{fillText(text, { count: orders, amount: money(amount) })}</p>
      <p className="font-normal">
        {words.notInToPay} {priceNote.text}
      </p>
    </div>
  );
}

function Mine({ units, mine }: { units: number; mine: number }) {
  const { words } = useBillPage();
  if (mine === 0) return null;
  return <Badge tone="good">{mine === units ? words.yours : fillText(words.someYours, { count: mine })}</Badge>;
}

function Paid({ units, paid }: { units: number; paid: number }) {
  const { words } = useBillPage();
  if (paid === 0) return null;
  return <Badge>{paid === units ? words.linePaid : fillText(words.someLinePaid, { count: paid })}</Badge>;
}

function Sum({ name, amount, isStrong = false }: { name: string; amount: string; isStrong?: boolean }) {
  return (
    <div className={`flex justify-between gap-4 py-0.5 ${isStrong ? 'pt-1.5 text-base font-semibold' : 'text-muted'}`}>
      <dt className="wrap-anywhere">{name}</dt>
      <dd className="shrink-0 tabular-nums">{amount}</dd>
    </div>
  );
}
