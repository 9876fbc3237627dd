'use client';

import { Button } from '@/components/ui/button';
import { useLoyalty } from './loyalty-context';
import { useSending } from './use-sending';

export function SignOut() {
  const { words, client } = useLoyalty();
  const { isBusy, refusal, send, refresh } = useSending();
  return (
    <div>
      <Button
        variant="secondary"
        busy={isBusy}
        onClick={() =>
          send(async () => {
            await client.identity.signOut.mutate();
            refresh();
          })
        }
      >
        {words.signOut}
      </Button>
      <p role="status" className="mt-2 text-sm text-danger">
        {refusal?.text}
      </p>
    </div>
  );
}
