'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import type { DinerRouter } from '@/server/trpc/diner/router';
import { Link } from '../../ui/link';
import { fillText, formFor } from '../words';
import { useLoyalty } from './loyalty-context';
import { kindOf } from './transaction-kinds';
import { useSending } from './use-sending';

type Page = inferRouterOutputs<DinerRouter>['account']['history'];
/** JSON turns an instant into a text. */
type Item = Omit<Page['items'][number], 'occurredAt' | 'refunds'> & {
  occurredAt: Date | string;
  refunds: { amount: number; at: Date | string }[];
};

interface HistoryListProps {
  items: Item[];
  nextCursor: string | null;
}

/**
 * The customer's activity, newest first, with older entries on demand. Its key is the cursor where the older entries
 * start.
 */
export function HistoryList(first: HistoryListProps) {
  const { words, client, language } = useLoyalty();
  const [older, setOlder] = useState<HistoryListProps | null>(null);
  const { isBusy, refusal, send } = useSending();
  const items = [...first.items, ...(older?.items ?? [])];
  const { nextCursor } = older ?? first;
  const showMore = async () => {
    const page = await client.account.history.query({ after: nextCursor ?? undefined, language });
    setOlder({ items: [...(older?.items ?? []), ...page.items], nextCursor: page.nextCursor });
  };
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="text-xl font-semibold tracking-[-0.02em]">
        {words.history}
      </h2>
      {items.length === 0 ? <p className="mt-1 text-[0.9375rem] text-muted">{words.noHistory}</p> : null}
      <ul className="mt-2 divide-y divide-line">
        {items.map((item) => (
          <HistoryRow key={item.uid} item={item} />
        ))}
      </ul>
      {nextCursor === null ? null : (
        <Button variant="secondary" busy={isBusy} className="mt-4 w-full" onClick={() => send(showMore)}>
          {isBusy ? words.sending : words.showMore}
        </Button>
      )}
      <p role="status" className="mt-2 text-sm text-muted">
        {refusal?.text ?? (older && nextCursor === null ? words.historyEnd : '')}
      </p>
    </section>
  );
}

/** Keeps the server's text, because browsers format amounts with different spaces and signs. */
function HistoryRow({ item }: { item: Item }) {
  const { merchant, words, language, money, count, day } = useLoyalty();
  const { uid, type, isVoided, storeName, name, amount, occurredAt, moved, refunds } = item;
  const kind = words[kindOf(item)];
  const value = moved.principal + moved.bonus;
  const signed = (amount: number, text: string) => `${amount > 0 ? '+' : '−'}${text}`;
  const points = Math.abs(moved.points);
  const changes = [
    ...(amount === null ? [] : [type === 'sale' ? money(amount) : signed(-amount, money(amount))]),
    ...(value === 0 ? [] : [signed(value, money(Math.abs(value)))]),
    ...(moved.points === 0
      ? []
      : [signed(moved.points, fillText(formFor(words.pointsChange, points, language), { count: count(points) }))]),
  ];
  return (
    <li className="flex items-baseline justify-between gap-x-4 py-3">
      <div className="min-w-0 grow">
        <p className="font-medium wrap-anywhere">
          {name ?? kind}
          {isVoided ? <span className="ml-2 text-sm font-normal text-caution">{words.voided}</span> : null}
        </p>
        <p className="text-sm text-muted wrap-anywhere" suppressHydrationWarning>
          {[name && kind, day(occurredAt), storeName].filter(Boolean).join(' · ')}
        </p>
        {refunds.map((refund) => (
          <p key={String(refund.at)} className="text-sm text-muted" suppressHydrationWarning>
            {fillText(words.refundOn, { day: day(refund.at) })}: {signed(1, money(refund.amount))}
          </p>
        ))}
        <Link
          href={`/loyalty/${merchant.id}/receipts/${uid}`}
          prefetch={false}
          aria-label={fillText(words.receiptOf, {
            name: `${name ?? kind}, ${day(occurredAt)}`,
          })}
          className="inline-flex min-h-11 items-center text-sm font-medium underline decoration-edge underline-offset-4 hover:decoration-ink"
          suppressHydrationWarning
        >
          {words.receipt}
        </Link>
      </div>
      <p className={classNames('text-right tabular-nums', isVoided ? 'text-muted line-through' : 'font-medium')}>
        {changes.map((change) => (
          <span key={change} className="block whitespace-nowrap" suppressHydrationWarning>
            {change}
          </span>
        ))}
      </p>
    </li>
  );
}
