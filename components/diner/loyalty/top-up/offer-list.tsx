'use client';

import { fillText, formFor, type TopUpWords } from '@/components/diner/words';
import type { StoredValuePackage } from '@/server/domain/stored-value';
import { useLoyalty } from '../loyalty-context';
import { Choice } from './choice';

interface OfferListProps {
  words: TopUpWords;
  offers: StoredValuePackage[];
  chosen: string | null;
  onChoose: (packageId: string) => void;
}

/** The packages on offer, with what is paid and received. */
export function OfferList({ words, offers, chosen, onChoose }: OfferListProps) {
  return (
    <fieldset className="space-y-3">
      <legend className="sr-only">{words.packages}</legend>
      {offers.map((offer) => (
        <Choice
          key={offer.packageId}
          name="package"
          isChosen={offer.packageId === chosen}
          onChoose={() => onChoose(offer.packageId)}
        >
          <Offer words={words} offer={offer} />
        </Choice>
      ))}
    </fieldset>
  );
}

function Offer({ words, offer }: { words: TopUpWords; offer: StoredValuePackage }) {
  const { language, money, count } = useLoyalty();
  const { name, amount, creditedAmount, bonusAmount, minAmount, maxAmount, bonusPercent, bonusExpiresInDays } = offer;
  const isFixed = amount !== null && creditedAmount !== null;
  const headline = isFixed
    ? fillText(words.receive, { amount: money(creditedAmount) })
    : fillText(words.range, { least: money(minAmount ?? 0), most: money(maxAmount ?? 0) });
  const bonus = isFixed
    ? bonusAmount
      ? fillText(words.bonus, { amount: money(bonusAmount) })
      : null
    : bonusPercent
      ? fillText(words.bonusPercent, { percent: count(bonusPercent) })
      : null;
  return (
    <>
      <span className="block text-sm text-muted wrap-anywhere">{name}</span>
      <span className="mt-0.5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="text-xl font-semibold tracking-[-0.02em] tabular-nums" suppressHydrationWarning>
          {headline}
        </span>
        {isFixed ? (
          <span className="tabular-nums" suppressHydrationWarning>
            {fillText(words.pay, { amount: money(amount) })}
          </span>
        ) : null}
      </span>
      {bonus ? (
        <span className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="rounded-full bg-zest px-2.5 py-0.5 font-medium text-[#1c2b12]" suppressHydrationWarning>
            {bonus}
          </span>
          {bonusExpiresInDays === null ? null : (
            <span className="text-muted">
              {fillText(formFor(words.bonusForDays, bonusExpiresInDays, language), {
                count: count(bonusExpiresInDays),
              })}
            </span>
          )}
        </span>
      ) : null}
    </>
  );
}
