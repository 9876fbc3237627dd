'use client';

import { useEffect, useState } from 'react';
import { fillText, type TopUpWords } from '@/components/diner/words';
import { ButtonLink } from '@/components/ui/button';
import { SpinnerIcon } from '@/components/ui/icons';
import type { TopUpRequestView } from '@/server/domain/top-ups';
import { useLoyalty } from '../loyalty-context';
import { ScreenTitle } from '../screen-title';

const longMs = 20_000;

interface UnpaidProps {
  words: TopUpWords;
  topUp: TopUpRequestView;
  hasReturned: boolean;
}

/** A top-up by card that is not confirmed: just paid, or not paid. */
export function Unpaid({ words, topUp, hasReturned }: UnpaidProps) {
  const { money } = useLoyalty();
  if (hasReturned) return <Checking words={words} />;
  return (
    <>
      <ScreenTitle key="unpaid">{words.unpaidTitle}</ScreenTitle>
      <p className="leading-relaxed" suppressHydrationWarning>
        {fillText(words.unpaidLead, { amount: money(topUp.amount), credited: money(topUp.credited) })}
      </p>
      {topUp.checkoutUrl ? (
        <ButtonLink href={topUp.checkoutUrl} className="w-full">
          {words.goOn}
        </ButtonLink>
      ) : null}
    </>
  );
}

function Checking({ words }: { words: TopUpWords }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p className="text-accent [&_svg]:size-10">
        <SpinnerIcon />
      </p>
      <ScreenTitle key="checking">{words.checkingTitle}</ScreenTitle>
      <p className="leading-relaxed">{words.checkingLead}</p>
      <p role="status" className="leading-relaxed text-muted empty:hidden">
        {isLong ? words.checkingLong : null}
      </p>
    </>
  );
}
