'use client';

import { fillText, type TopUpWords } from '@/components/diner/words';
import { ButtonLink } from '@/components/ui/button';
import type { TopUpOffers } from '@/server/domain/top-ups';
import { useLoyalty } from '../loyalty-context';
import { useSecondsUntil } from '../use-seconds-until';
import { formatCountdown } from './counter-code';

interface OpenCodeProps {
  words: TopUpWords;
  openCode: NonNullable<TopUpOffers['openCode']>;
}

/** The open code for the counter, with its remaining time. */
export function OpenCode({ words, openCode: { topUpRequestId, amount, expiresAt } }: OpenCodeProps) {
  const { merchant, money } = useLoyalty();
  const secondsLeft = useSecondsUntil(Date.parse(expiresAt));
  if (secondsLeft === 0) return null;
  return (
    <section aria-labelledby="open-code" className="my-6 rounded-2xl bg-caution-tint p-5 text-caution">
      <h2 id="open-code" className="font-semibold" suppressHydrationWarning>
        {fillText(words.openCodeTitle, { amount: money(amount) })}
      </h2>
      <p className="mt-0.5 text-[0.9375rem] tabular-nums">
        {secondsLeft === null ? ' ' : fillText(words.codeUntil, { time: formatCountdown(secondsLeft) })}
      </p>
      <ButtonLink href={`/loyalty/${merchant.id}/top-up/${topUpRequestId}`} className="mt-4 w-full">
        {words.showCode}
      </ButtonLink>
    </section>
  );
}
