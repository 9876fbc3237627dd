'use client';

import { useLoyalty } from './loyalty-context';
import { useSending } from './use-sending';

/** The switch for messages that the customer did not request. */
export function MessagesChoice({ wantsMessages }: { wantsMessages: boolean }) {
  const { words, client } = useLoyalty();
  const { isBusy, refusal, send, refresh } = useSending();
  return (
    <div className="rounded-xl border border-line bg-surface px-5 py-3">
      <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4">
        <span className="min-w-0">
          <span className="block font-medium">{words.messages}</span>
          <span id="messages-hint" className="block text-sm text-muted">
            {words.messagesHint}
          </span>
        </span>
        <input
          type="checkbox"
          // Shows the new state while it is being saved.
          checked={isBusy ? !wantsMessages : wantsMessages}
          aria-describedby="messages-hint"
          className="size-6 shrink-0 accent-accent"
          onChange={(event) => {
            const wanted = event.target.checked;
            send(async () => {
              await client.account.setMessages.mutate({ wantsMessages: wanted });
              refresh();
            });
          }}
        />
      </label>
      <p role="status" className="mt-1 text-sm text-danger empty:hidden">
        {refusal?.text}
      </p>
    </div>
  );
}
