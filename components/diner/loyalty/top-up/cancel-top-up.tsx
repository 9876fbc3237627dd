'use client';

import type { TopUpWords } from '@/components/diner/words';
import { Button } from '@/components/ui/button';
import type { TopUpRequestView } from '@/server/domain/top-ups';
import { useLoyalty } from '../loyalty-context';
import { useSending } from '../use-sending';

interface CancelTopUpProps {
  words: TopUpWords;
  topUp: TopUpRequestView;
  onChanged: (topUp: TopUpRequestView) => void;
}

export function CancelTopUp({ words, topUp: { topUpRequestId }, onChanged }: CancelTopUpProps) {
  const { client } = useLoyalty();
  const { isBusy, refusal, send } = useSending();
  const cancel = async () => onChanged(await client.topUps.cancel.mutate({ topUpRequestId }));
  return (
    <div>
      <Button variant="quiet" busy={isBusy} className="-ml-5" onClick={() => send(cancel)}>
        {words.cancel}
      </Button>
      <p role="status" className="text-sm text-danger empty:hidden">
        {refusal?.reason === 'service_unavailable' ? words.away : refusal?.text}
      </p>
    </div>
  );
}
