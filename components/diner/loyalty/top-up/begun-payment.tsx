'use client';

import { useRouter } from 'next/navigation';
import { fillText, type TopUpWords } from '@/components/diner/words';
import { Button, ButtonLink } from '@/components/ui/button';
import type { TopUpOffers } from '@/server/domain/top-ups';
import { useLoyalty } from '../loyalty-context';
import { useSending } from '../use-sending';

interface BegunPaymentProps {
  words: TopUpWords;
  begun: TopUpOffers['begun'][number];
}

/** A payment by card that the customer has begun: to be continued or taken back, because it counts towards limits meanwhile. */
export function BegunPayment({ words, begun }: BegunPaymentProps) {
  const { topUpRequestId, amount, checkoutUrl, expiresAt } = begun;
  const { merchant, client, money, time } = useLoyalty();
  const router = useRouter();
  const { isBusy, refusal, send } = useSending();
  const cancel = () =>
    send(async () => {
      const { state } = await client.topUps.cancel.mutate({ topUpRequestId });
      // It was paid meanwhile.
      if (state !== 'cancelled') router.push(`/loyalty/${merchant.id}/top-up/${topUpRequestId}`);
      router.refresh();
    });
  const id = `begun-${topUpRequestId}`;
  return (
    <section aria-labelledby={id} className="my-6 rounded-2xl bg-caution-tint p-5 text-caution">
      <h2 id={id} className="font-semibold" suppressHydrationWarning>
        {fillText(words.begunTitle, { amount: money(amount) })}
      </h2>
      <p className="mt-0.5 text-[0.9375rem]" suppressHydrationWarning>
        {fillText(words.begunText, { time: time(expiresAt) })}
      </p>
      <div className="mt-4 flex flex-col gap-2">
        {checkoutUrl ? <ButtonLink href={checkoutUrl}>{words.goOn}</ButtonLink> : null}
        <Button variant="secondary" busy={isBusy} onClick={cancel}>
          {words.cancelBegun}
        </Button>
      </div>
      <p role="alert" className="mt-2 text-sm text-danger empty:hidden">
        {refusal?.reason === 'service_unavailable' ? words.away : refusal?.text}
      </p>
    </section>
  );
}
