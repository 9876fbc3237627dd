'use client';

import { useEffect, useState } from 'react';
import { CheckIcon, CopyIcon } from './icons';

const confirmationMs = 2000;

export interface CopyWords {
  idle: string;
  copied: string;
  failed: string;
}

interface CopyButtonProps {
  text: string;
  label: string;
  /** The button's texts: before, after success, and after failure. */
  words: CopyWords;
}

/** Copies a text and confirms it, also to screen readers. */
export function CopyButton({ text, label, words }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');

  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), confirmationMs);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    // The clipboard API is missing on http origins other than localhost, and may be denied.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setState(copied ? 'copied' : 'failed');
  }

  const shown = words[state];
  return (
    <>
      <button
        type="button"
        aria-label={label}
        onClick={copy}
        className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-code-line px-2.5 text-xs font-medium text-on-code transition-colors hover:border-on-code-muted focus-visible:outline-zest"
      >
        {state === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {shown}
      </button>
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : shown}
      </span>
    </>
  );
}
