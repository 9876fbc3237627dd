import { useState } from 'react';
import { fillText, formFor } from '../../words';
import { useSpeech } from '../table-context';
import { AccountLink } from './account-link';
import { useBillPage } from './bill-context';
import { ConfirmSheet } from './confirm-sheet';
import { RefusedVouchers } from './refused-vouchers';
import type { DinerBill, Offers } from './types';
import { useOffers } from './use-offers';
import { type Choice, useRedeem } from './use-redeem';
import { useTask } from './use-task';

interface HoldingsProps {
  bill: DinerBill;
  hasSession: boolean;
  onChanged: () => void;
  /** Announces the result. */
  onDone: (text: string) => void;
}

/** The diner's vouchers, points and balance. One tap uses each on the bill. */
export function Holdings(props: HoldingsProps) {
  const { words, table } = useBillPage();
  const loaded = useOffers(props.bill, props.hasSession);
  return (
    <section aria-labelledby="holdings" className="rounded-xl border border-line bg-surface p-4">
      <h3 id="holdings" className="font-semibold tracking-[-0.01em]">
        {words.use}
      </h3>
      {loaded.state === 'signedOut' ? (
        <>
          <p className="mt-1 text-[0.9375rem]/6 text-muted">
            {fillText(words.signInHint, { merchant: table.merchant.name })}
          </p>
          <AccountLink to="account" text={words.signIn} className="text-button text-accent" />
        </>
      ) : null}
      {loaded.state === 'loading' ? <p className="mt-1 text-[0.9375rem]/6 text-muted">{words.loadingOffers}</p> : null}
      {loaded.state === 'refused' ? <p className="mt-1 text-[0.9375rem]/6 text-muted">{loaded.text}</p> : null}
      {loaded.state === 'loaded' ? <Offered {...props} offers={loaded.offers} /> : null}
    </section>
  );
}

function Offered({ offers, onChanged, onDone }: Omit<HoldingsProps, 'hasSession'> & { offers: Offers }) {
  const { words } = useBillPage();
  const { money } = useSpeech();
  const choices = useChoices(offers);
  const { isBusy, refusal, run } = useTask();
  const redeem = useRedeem();
  const [confirmed, setConfirmed] = useState<{ choice: Choice; most: number | null } | null>(null);
  // The merchant may have started to require the PIN since these were read.
  const [isPinAsked, setPinAsked] = useState(false);
  const hasPin = offers.pin === 'required' || offers.pin === 'locked' || isPinAsked;
  const done = (amount: number) => {
    setConfirmed(null);
    onDone(fillText(words.used, { amount: money(amount) }));
    onChanged();
  };
  const use = async (choice: Choice) => {
    if (hasPin) return setConfirmed({ choice, most: null });
    const refused = await run(async () => done(await redeem(choice)));
    if (refused?.reason !== 'pin_required') return;
    setPinAsked(true);
    setConfirmed({ choice, most: null });
  };
  const refused = <RefusedVouchers refused={offers.refusedVouchers} />;
  if (choices.length === 0) {
    return (
      <>
        <p className="mt-1 text-[0.9375rem]/6 text-muted">{offers.isBlocked ? words.blocked : words.nothingToUse}</p>
        {refused}
      </>
    );
  }
  if (offers.pin === 'notSet') {
    return (
      <>
        <p className="mt-1 text-[0.9375rem]/6 text-muted">{words.pinNotSet}</p>
        <AccountLink to="pin" text={words.choosePin} className="text-button text-accent" />
      </>
    );
  }
  return (
    <>
      <ul className="mt-1 divide-y divide-line">
        {choices.map((choice) => (
          <ChoiceRow
            key={JSON.stringify(choice.what)}
            choice={choice}
            isBusy={isBusy}
            onUse={() => use(choice)}
            onOtherAmount={(whole) => setConfirmed({ choice: whole, most: whole.amount })}
          />
        ))}
      </ul>
      {refused}
      <p role="alert" className="text-sm font-medium text-danger">
        {refusal?.reason === 'pin_required' ? null : refusal?.text}
      </p>
      {confirmed ? (
        <ConfirmSheet
          {...confirmed}
          hasPin={hasPin}
          redeem={redeem}
          onPinAsked={() => setPinAsked(true)}
          onDone={done}
          onClose={() => setConfirmed(null)}
        />
      ) : null}
    </>
  );
}

/** Each voucher, the points and the balance that can be used, named as this phone's reader knows them. */
function useChoices({ vouchers, points, storedValue }: Offers): Choice[] {
  const { words } = useBillPage();
  const { language, money } = useSpeech();
  const choices: Choice[] = vouchers.map(({ voucherCode, name, amount }) => {
    const isOnly = vouchers.filter((one) => one.name === name).length === 1;
    const what = { kind: 'voucher', voucherCode, amount } as const;
    return { name: isOnly ? name : `${name} · ${voucherCode}`, amount, what };
  });
  if (points && points.amount > 0) {
    const name = fillText(formFor(words.points, points.usable, language), { count: points.usable });
    choices.push({ name, amount: points.amount, what: { kind: 'points', points: points.usable } });
  }
  if (storedValue && storedValue.usable > 0) {
    const name = fillText(words.balance, { amount: money(storedValue.balance) });
    choices.push({ name, amount: storedValue.usable, what: { kind: 'storedValue', amount: storedValue.usable } });
  }
  return choices;
}

interface ChoiceRowProps {
  choice: Choice;
  isBusy: boolean;
  onUse: () => void;
  /** Asks for another amount of the balance. */
  onOtherAmount: (whole: Choice) => void;
}

function ChoiceRow({ choice, isBusy, onUse, onOtherAmount }: ChoiceRowProps) {
  const { words } = useBillPage();
  const { money } = useSpeech();
  const { name, what } = choice;
  const amount = money(choice.amount);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="grow text-[0.9375rem]/6 wrap-anywhere">
        {name}
        {what.kind === 'storedValue' ? (
          <button
            type="button"
            className="text-button ml-3 text-sm"
            onClick={() => onOtherAmount({ ...choice, name: words.redeemStoredValue })}
          >
            {words.otherAmount}
          </button>
        ) : null}
      </span>
      <button
        type="button"
        className="filter-button shrink-0 text-accent"
        aria-label={fillText(words.useNamed, { name, amount })}
        aria-disabled={isBusy || undefined}
        onClick={onUse}
      >
        {fillText(words.useAmount, { amount })}
      </button>
    </li>
  );
}
