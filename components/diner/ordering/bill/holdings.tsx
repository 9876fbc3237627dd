import { type ReactNode, useState } from 'react';
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
  const { language, money } = useSpeech();
  const { isBusy, refusal, run } = useTask();
  const redeem = useRedeem();
  const [confirmed, setConfirmed] = useState<{ choice: Choice; most: number | null } | null>(null);
  const { pin, vouchers, points, storedValue } = offers;
  // The merchant may have started to require the PIN since these were read.
  const [isPinAsked, setPinAsked] = useState(false);
  const hasPin = pin === 'required' || pin === 'locked' || isPinAsked;
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
  const row = (choice: Choice, hint?: ReactNode) => (
    <li key={JSON.stringify(choice.what)} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="grow text-[0.9375rem]/6 wrap-anywhere">
        {choice.name}
        {hint}
      </span>
      <button
        type="button"
        className="filter-button shrink-0 text-accent"
        aria-label={fillText(words.useNamed, { name: choice.name, amount: money(choice.amount) })}
        aria-disabled={isBusy || undefined}
        onClick={() => use(choice)}
      >
        {fillText(words.useAmount, { amount: money(choice.amount) })}
      </button>
    </li>
  );
  const refused = <RefusedVouchers refused={offers.refusedVouchers} />;
  const isEmpty = vouchers.length === 0 && !points?.amount && !storedValue?.usable;
  if (isEmpty) {
    const text = offers.isBlocked ? words.blocked : words.nothingToUse;
    return (
      <>
        <p className="mt-1 text-[0.9375rem]/6 text-muted">{text}</p>
        {refused}
      </>
    );
  }
  if (pin === 'notSet') {
    return (
      <>
        <p className="mt-1 text-[0.9375rem]/6 text-muted">{words.pinNotSet}</p>
        <AccountLink to="pin" text={words.choosePin} className="text-button text-accent" />
      </>
    );
  }
  const value = (amount: number): Choice => ({
    name: words.redeemStoredValue,
    amount,
    what: { kind: 'storedValue', amount },
  });
  return (
    <>
      <ul className="mt-1 divide-y divide-line">
        {vouchers.map(({ voucherCode, name, amount }) => {
          const isOnly = vouchers.filter((one) => one.name === name).length === 1;
          const what = { kind: 'voucher', voucherCode, amount } as const;
          return row({ name: isOnly ? name : `${name} · ${voucherCode}`, amount, what });
        })}
        {points && points.amount > 0
          ? row({
              name: fillText(formFor(words.points, points.usable, language), { count: points.usable }),
              amount: points.amount,
              what: { kind: 'points', points: points.usable },
            })
          : null}
        {storedValue && storedValue.usable > 0
          ? row(
              { ...value(storedValue.usable), name: fillText(words.balance, { amount: money(storedValue.balance) }) },
              <button
                type="button"
                className="text-button ml-3 text-sm"
                onClick={() => setConfirmed({ choice: value(storedValue.usable), most: storedValue.usable })}
              >
                {words.otherAmount}
              </button>,
            )
          : null}
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
