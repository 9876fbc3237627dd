import { useEffect, useState } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { Sheet } from './sheet';
import { useSpeech } from './table-context';

type Kind = OpenTable['calls'][number];

/** What each kind of call says. */
const texts = {
  staff: { ask: 'callStaff', waits: 'staffCalled' },
  bill: { ask: 'askForBill', waits: 'billRequested' },
} as const;
const kinds = ['staff', 'bill'] as const;

interface CallSheetProps {
  client: DinerClient;
  /** Which calls of this table wait, from any phone. */
  calls: readonly Kind[];
  /** A warning about the connection. */
  warning: string | null;
  onChanged: () => void;
  onClose: () => void;
}

/** Calls staff, asks for the bill, or takes a call back. Loaded when it is first opened. */
export function CallSheet({ client, calls, warning, onChanged, onClose }: CallSheetProps) {
  const { words } = useSpeech();
  const [waiting, setWaiting] = useState(calls);
  const [busy, setBusy] = useState<Kind | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => setWaiting(calls), [calls]);
  const toggle = async (kind: Kind) => {
    if (busy) return;
    const isWaiting = waiting.includes(kind);
    setBusy(kind);
    setFailed(false);
    try {
      await client.table[isWaiting ? 'withdrawCall' : 'callStaff'].mutate({ kind });
      setWaiting(isWaiting ? waiting.filter((one) => one !== kind) : [...waiting, kind]);
    } catch {
      setFailed(true);
    }
    setBusy(null);
    onChanged();
  };
  return (
    <Sheet title={words.calls} warning={warning} onClose={onClose} footer={null}>
      <div className="space-y-5 px-5 pt-3 pb-8 sm:px-6">
        <p role="status" className={hasFailed ? 'notice-caution' : 'sr-only'}>
          {hasFailed ? words.callFailed : null}
        </p>
        {kinds.map((kind) => {
          const { ask, waits } = texts[kind];
          const isWaiting = waiting.includes(kind);
          return (
            <div key={kind} className={isWaiting ? 'notice-good' : undefined}>
              <p role="status" className={isWaiting ? 'font-medium' : 'sr-only'}>
                {isWaiting ? words[waits] : null}
              </p>
              <button
                type="button"
                className={isWaiting ? 'text-button' : 'primary-button w-full justify-center'}
                aria-busy={busy === kind || undefined}
                onClick={() => toggle(kind)}
              >
                {isWaiting ? words.withdrawCall : words[ask]}
              </button>
            </div>
          );
        })}
      </div>
    </Sheet>
  );
}
