'use client';

import { fillText, type TopUpWords } from '@/components/diner/words';
import type { TopUpRequestView } from '@/server/domain/top-ups';
import { useLoyalty } from '../loyalty-context';
import { ScreenTitle } from '../screen-title';
import { useSecondsUntil } from '../use-seconds-until';

/** The six digits for the cashier, and how long they are valid. */
export function CounterCode({ words, topUp }: { words: TopUpWords; topUp: TopUpRequestView }) {
  const { money } = useLoyalty();
  const secondsLeft = useSecondsUntil(Date.parse(topUp.expiresAt));
  const code = topUp.counterCode ?? '';
  return (
    <>
      <ScreenTitle key="code">{words.codeTitle}</ScreenTitle>
      <p className="leading-relaxed" suppressHydrationWarning>
        {fillText(words.codeLead, { amount: money(topUp.amount), credited: money(topUp.credited) })}
      </p>
      <div className="rounded-2xl border border-line bg-surface px-4 py-8 text-center">
        <p className="text-sm text-muted">{words.code}</p>
        <p className="mt-2 font-mono text-[clamp(2.75rem,15vw,4.5rem)]/none font-semibold tracking-[0.04em] tabular-nums">
          <span className="sr-only">{[...code].join(' ')}</span>
          <span aria-hidden="true" className="whitespace-nowrap">
            {code.slice(0, 3)}
            <span className="inline-block w-[0.35em]" />
            {code.slice(3)}
          </span>
        </p>
        <p className="mt-4 text-sm text-muted tabular-nums">
          {secondsLeft === null ? ' ' : fillText(words.codeUntil, { time: formatCountdown(secondsLeft) })}
        </p>
      </div>
      <p className="text-[0.9375rem] leading-relaxed text-muted">{words.codeWaits}</p>
    </>
  );
}

/** `12:05` */
export const formatCountdown = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
