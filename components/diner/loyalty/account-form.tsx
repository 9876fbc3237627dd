'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { Alert } from '@/components/ui/alert';
import { useLoyalty } from './loyalty-context';
import { SubmitButton } from './submit-button';
import type { useSending } from './use-sending';

interface AccountFormProps {
  sending: ReturnType<typeof useSending>;
  /** Sends the form. An error that it throws is shown at the field it names. */
  onSend: (values: FormData) => Promise<unknown>;
  label: string;
  /** The fields; `errorOf` returns a field's error. */
  children: (errorOf: (field: string) => string | null) => ReactNode;
}

/** A form with one button. An error is shown at its field, which gets the focus. */
export function AccountForm({ sending: { isBusy, refusal, send }, onSend, label, children }: AccountFormProps) {
  const { words } = useLoyalty();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const named = refusal?.field ? form.current?.elements.namedItem(refusal.field) : null;
    // Of a field in several parts, the first one.
    const isInParts = named instanceof HTMLInputElement && named.type === 'hidden';
    const first = isInParts ? named.closest('fieldset')?.querySelector<HTMLElement>('select, input') : named;
    if (first instanceof HTMLElement) first.focus();
  }, [refusal]);
  const errorOf = (field: string) => (refusal?.field === field ? refusal.text : null);
  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget);
        send(() => onSend(values));
      }}
    >
      {refusal && refusal.field === null ? (
        <Alert tone="danger" title={words.refusedTitle}>
          {refusal.text}
        </Alert>
      ) : null}
      {children(errorOf)}
      <SubmitButton isBusy={isBusy}>{label}</SubmitButton>
    </form>
  );
}
