import { useEffect, useRef } from 'react';
import { fill, type TableWords } from '../words';
import { TableFooter } from './table-footer';
import type { OutcomeText } from './use-said';

function SettledSlip({ words }: { words: TableWords }) {
  return (
    <div
      aria-hidden="true"
      className="w-56 shrink-0 -rotate-2 max-sm:mx-auto md:mr-12 drop-shadow-[0_18px_24px_oklch(0.2_0.03_165/0.18)]"
    >
      <div className="slip-edges bg-slip px-6 py-8 font-mono text-[0.8125rem]/6 text-on-slip">
        <p className="text-center text-xs tracking-[0.18em] uppercase">{words.slipTitle}</p>
        <div className="mt-4 space-y-1 border-y border-dashed border-on-slip-muted py-3">
          <p className="flex items-baseline gap-2">
            {words.slipBill}
            <span className="leader" />✓
          </p>
          <p className="flex items-baseline gap-2 whitespace-nowrap">
            {words.slipToPay}
            <span className="leader" />0
          </p>
        </div>
        <p className="mt-4 text-center font-semibold">{words.slipThanks}</p>
      </div>
    </div>
  );
}

interface ClosedNoticeProps {
  words: TableWords;
  /**
   * The merchant's name once the bill is settled; null for an expired code, so that a guessed code shows the same page.
   */
  merchantName: string | null;
  /** The outcome of an order that was pending when the table closed. */
  outcome: OutcomeText | null;
  /** True if it replaces an open page. */
  isNews: boolean;
}

/** The page of a closed QR code. */
export function ClosedNotice({ words, merchantName, outcome, isNews }: ClosedNoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNews) heading.current?.focus();
  }, [isNews]);
  return (
    <>
      <main id="content" className="relative isolate flex flex-1 items-center overflow-hidden">
        <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-12 px-5 pt-10 pb-14 sm:flex-row-reverse sm:items-center sm:justify-between sm:px-8 sm:py-14">
          {merchantName === null ? null : <SettledSlip words={words} />}
          <div className="max-w-md">
            <h1
              ref={heading}
              tabIndex={-1}
              className="text-4xl/tight font-semibold tracking-[-0.03em] wrap-anywhere outline-none sm:text-5xl/tight"
            >
              {merchantName === null ? words.closedTitle : fill(words.settledAt, { merchant: merchantName })}
            </h1>
            <p
              role="status"
              className={outcome ? `mt-5 ${outcome.isGood ? 'notice-good' : 'notice-caution'}` : 'sr-only'}
            >
              {outcome?.text}
            </p>
            <p className="mt-5 text-lg leading-relaxed text-muted">
              {merchantName === null ? words.closedWhy : words.settledGoodbye}
            </p>
            <p className="mt-4 text-lg leading-relaxed">{words.closedHelp}</p>
          </div>
        </div>
      </main>
      <TableFooter />
    </>
  );
}
