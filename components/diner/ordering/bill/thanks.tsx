import { fillText, formFor } from '../../words';
import { useSpeech } from '../table-context';
import { AccountLink } from './account-link';
import { useBillPage } from './bill-context';
import type { DinerBill } from './types';

interface ThanksProps {
  bill: Pick<DinerBill, 'thanks'>;
  /** True while the table's code takes orders. */
  canOrder: boolean;
}

/** Thanks the diner of a closed bill, says what was earned and what comes next. */
export function Thanks({ bill: { thanks }, canOrder }: ThanksProps) {
  const { words, guest } = useBillPage();
  const { words: common, language } = useSpeech();
  const name = thanks?.name || guest.guestName;
  const count = thanks?.pointsEarned ?? 0;
  return (
    <div className="notice-good">
      <p className="text-lg font-semibold wrap-anywhere">
        {name ? fillText(words.closedThanks, { name }) : words.closedThanksAll}
      </p>
      {count > 0 ? <p className="font-normal">{fillText(formFor(words.earned, count, language), { count })}</p> : null}
      {canOrder ? <p className="font-normal">{words.orderMore}</p> : null}
      <AccountLink to="account" text={common.account} className="text-button -ml-3 text-accent" />
    </div>
  );
}
