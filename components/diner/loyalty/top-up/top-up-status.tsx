'use client';

import { CircleCheck, CircleX, Hourglass, type LucideIcon, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { fillText, type TopUpWords } from '@/components/diner/words';
import { ButtonLink } from '@/components/ui/button';
import type { TopUpRequestView } from '@/server/domain/top-ups';
import { BackToAccount } from '../back-to-account';
import { useLoyalty } from '../loyalty-context';
import { ScreenTitle } from '../screen-title';
import { CancelTopUp } from './cancel-top-up';
import { CounterCode } from './counter-code';
import { Unpaid } from './unpaid';
import { useTopUp } from './use-top-up';

interface TopUpStatusProps {
  words: TopUpWords;
  first: TopUpRequestView;
  /** True if the payer returns from Stripe after paying. */
  hasReturned: boolean;
}

/** The state of a top-up, updated as soon as it changes. */
export function TopUpStatus({ words, first, hasReturned }: TopUpStatusProps) {
  const { topUp, setTopUp, isSilent } = useTopUp(first, { hasReturned });
  const isOpen = topUp.state === 'open';
  return (
    <div className="space-y-6">
      {isOpen ? <BackToAccount className="-mt-4" /> : null}
      {isOpen && topUp.method === 'counter' ? <CounterCode words={words} topUp={topUp} /> : null}
      {isOpen && topUp.method === 'card' ? <Unpaid words={words} topUp={topUp} hasReturned={hasReturned} /> : null}
      {isOpen ? null : <Ended words={words} topUp={topUp} />}
      <p role="status" className="text-sm text-caution empty:hidden">
        {isSilent ? words.retrying : null}
      </p>
      {isOpen && !hasReturned ? <CancelTopUp words={words} topUp={topUp} onChanged={setTopUp} /> : null}
    </div>
  );
}

type State = Exclude<TopUpRequestView['state'], 'open'>;

const looks: Record<State, { icon: LucideIcon; look: string }> = {
  processing: { icon: Hourglass, look: 'text-accent' },
  credited: { icon: CircleCheck, look: 'text-accent' },
  cancelled: { icon: CircleX, look: 'text-muted' },
  expired: { icon: CircleX, look: 'text-muted' },
  failed: { icon: CircleX, look: 'text-danger' },
  refunding: { icon: Undo2, look: 'text-caution' },
  refunded: { icon: Undo2, look: 'text-caution' },
  voided: { icon: Undo2, look: 'text-caution' },
};

/** The final state, and where to go next. */
function Ended({ words, topUp }: { words: TopUpWords; topUp: TopUpRequestView }) {
  const { merchant, money } = useLoyalty();
  const state = topUp.state as State;
  const { icon: Icon, look } = looks[state];
  const home = `/loyalty/${merchant.id}`;
  const canBeginAgain = state === 'cancelled' || state === 'expired' || state === 'failed';
  return (
    <>
      <Icon className={`size-12 ${look}`} strokeWidth={1.5} aria-hidden="true" />
      <ScreenTitle key={state}>{fillText(words[`${state}Title`], { credited: money(topUp.credited) })}</ScreenTitle>
      <Explanation words={words} topUp={topUp} />
      <div className="flex flex-col gap-3 sm:flex-row">
        {canBeginAgain ? <ButtonLink href={`${home}/top-up`}>{words.again}</ButtonLink> : null}
        <ButtonLink href={home} variant={canBeginAgain ? 'secondary' : 'primary'}>
          {words.toAccount}
        </ButtonLink>
      </div>
    </>
  );
}

function Explanation({ words, topUp }: { words: TopUpWords; topUp: TopUpRequestView }) {
  const { money, day } = useLoyalty();
  const { state, amount, bonus, bonusExpiresAt, balance, refusal, credited, processingUntil } = topUp;
  const why: Record<string, string> = {
    customer_blocked: words.whyHold,
    balance_limit_exceeded: words.whyLimit,
    payment_mismatch: words.whyMismatch,
    merchant_closed: words.whyClosed,
  };
  const lines: (string | null | undefined)[] = [];
  if (state === 'processing') {
    lines.push(fillText(words.processingLead, { amount: money(amount), credited: money(credited) }));
    lines.push(processingUntil ? fillText(words.processingUntil, { day: day(processingUntil) }) : words.processingLong);
  } else if (state === 'credited') {
    lines.push(fillText(words.doneLead, { amount: money(amount) }));
    const bonusText = bonusExpiresAt ? words.doneBonusUntil : words.doneBonus;
    const values = { amount: money(bonus), day: bonusExpiresAt ? day(bonusExpiresAt) : '' };
    lines.push(bonus > 0 ? fillText(bonusText, values) : null);
    lines.push(balance === null ? null : fillText(words.doneBalance, { balance: money(balance) }));
  } else if (state === 'refunding' || state === 'refunded') {
    lines.push(refusal && why[refusal], fillText(words.refundedLead, { amount: money(amount) }));
  } else lines.push(state === 'voided' ? words.voidedLead : words.nothingPaid);
  return <Lines>{lines.filter((line) => Boolean(line))}</Lines>;
}

const Lines = ({ children }: { children: ReactNode[] }) => (
  <div className="space-y-2 leading-relaxed">
    {children.map((line) => (
      <p key={String(line)} suppressHydrationWarning>
        {line}
      </p>
    ))}
  </div>
);
