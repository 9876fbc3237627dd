import { fillText } from '../../words';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import type { Offers } from './types';

/** The diner's vouchers that do not fit the bill now, with the reason. */
export function RefusedVouchers({ refused }: { refused: Offers['refusedVouchers'] }) {
  const { words } = useBillPage();
  const { money } = useSpeech();
  if (refused.length === 0) return null;
  const reasonOf = ({ reason, details }: (typeof refused)[number]) => {
    if (reason === 'voucher_not_stackable') return words.notCombinable;
    if (reason !== 'minimum_spend_not_met') return details.plus ? words.noItemFits : words.notNow;
    const [least, spent] = [Number(details.minSpend), Number(details.billAmount)];
    return fillText(words.belowMinimum, { least: money(least), spent: money(spent) });
  };
  return (
    <ul aria-label={words.refusedNow} className="divide-y divide-line border-t border-line text-muted">
      {refused.map((one) => (
        <li key={one.name} className="py-2 text-[0.9375rem]/6 wrap-anywhere">
          {one.name}
          <span className="block text-sm/5">{reasonOf(one)}</span>
        </li>
      ))}
    </ul>
  );
}
