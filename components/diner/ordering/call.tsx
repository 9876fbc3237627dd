import { useEffect, useRef, useState } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { useSpeech } from './table-context';

type Kind = OpenTable['calls'][number];

/** The texts for each kind of call. */
const texts = {
  staff: { ask: 'callStaff', waits: 'staffCalled' },
  bill: { ask: 'askForBill', waits: 'billRequested' },
} as const;

interface CallProps {
  kind: Kind;
  client: DinerClient;
  /** The waiting calls of this table, from any phone. */
  calls: readonly Kind[];
  onChanged: () => void;
}

/** Calls staff or asks for the bill, withdraws the call, and says when staff have answered it. */
export function Call({ kind, client, calls, onChanged }: CallProps) {
  const { words } = useSpeech();
  const isListed = calls.includes(kind);
  const [state, setState] = useState<'none' | 'waits' | 'answered'>(isListed ? 'waits' : 'none');
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  // The list may change before a request is answered.
  const isUnderWay = useRef(false);
  useEffect(() => {
    if (isListed) setState('waits');
    else if (!isUnderWay.current) setState((before) => (before === 'waits' ? 'answered' : before));
  }, [isListed]);
  const isWaiting = state === 'waits';
  const toggle = async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setFailed(false);
    try {
      await client.table[isWaiting ? 'withdrawCall' : 'callStaff'].mutate({ kind });
      setState(isWaiting ? 'none' : 'waits');
    } catch {
      setFailed(true);
    }
    isUnderWay.current = false;
    setBusy(false);
    onChanged();
  };
  const news = { none: null, waits: words[texts[kind].waits], answered: words.staffComing }[state];
  return (
    <div className={isWaiting ? 'notice-good' : 'space-y-3'}>
      <p role="status" className={hasFailed ? 'notice-caution' : 'sr-only'}>
        {hasFailed ? words.callFailed : null}
      </p>
      <p role="status" className={isWaiting ? 'font-medium' : news ? 'notice-good' : 'sr-only'}>
        {news}
      </p>
      <button
        type="button"
        className={isWaiting ? 'text-button' : 'primary-button w-full justify-center'}
        aria-busy={isBusy || undefined}
        onClick={toggle}
      >
        {isWaiting ? words.withdrawCall : words[texts[kind].ask]}
      </button>
    </div>
  );
}
