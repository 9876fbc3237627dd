'use client';

import type { TopUpRequestView } from '@/server/domain/top-up-requests/view';
import type { TopUpWords } from '../../diner/words';
import { Button } from '../../ui/button';
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
