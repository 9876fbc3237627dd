'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { fillText } from '../words';
import { useLoyalty } from './loyalty-context';
import { useSecondsUntil } from './use-seconds-until';
import { useSending } from './use-sending';

/** A code that has been sent. */
export interface SentCode {
  /** When the next code can be sent, on `Date.now()`'s clock. */
  resendAt: number;
}

export const sentNow = ({ resendAfterSeconds }: { resendAfterSeconds: number }): SentCode => ({
  resendAt: Date.now() + resendAfterSeconds * 1000,
});

interface CodeFieldProps {
  phone: string;
  sent: SentCode;
  error: string | null;
  onResend: () => Promise<{ resendAfterSeconds: number }>;
}

/**
 * The field for a code, typed or filled in by the phone, with a button to resend it. It gets the focus when it appears.
 */
export function CodeField({ phone, sent, error, onResend }: CodeFieldProps) {
  const { words, hasNoMessenger } = useLoyalty();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <div>
      <Field
        ref={input}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        label={words.code}
        hint={hasNoMessenger ? words.codeInOffice : fillText(words.codeSent, { phone })}
        error={error}
        className="font-mono tracking-[0.3em]"
      />
      <Resend sent={sent} onResend={onResend} />
    </div>
  );
}

function Resend({ sent, onResend }: Pick<CodeFieldProps, 'sent' | 'onResend'>) {
  const { words, when } = useLoyalty();
  const [latest, setLatest] = useState(sent);
  const [news, setNews] = useState('');
  const { isBusy, refusal, send } = useSending();
  const secondsLeft = useSecondsUntil(latest.resendAt);
  const resend = async () => {
    setNews('');
    const next = sentNow(await onResend());
    setLatest(next);
    setNews(words.resent);
  };
  return (
    <div className="mt-2 text-sm">
      {secondsLeft !== 0 ? (
        <p className="flex min-h-11 items-center text-muted">
          {secondsLeft === null ? null : fillText(words.resendIn, { when: when(secondsLeft) })}
        </p>
      ) : (
        <Button variant="quiet" busy={isBusy} className="-ml-5" onClick={() => send(resend)}>
          {words.resend}
        </Button>
      )}
      <p role="status" className={refusal ? 'text-danger' : 'text-muted'}>
        {refusal?.text ?? news}
      </p>
    </div>
  );
}
