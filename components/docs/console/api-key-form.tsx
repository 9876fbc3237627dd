'use client';

import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { CheckIcon } from '../../ui/icons';

interface ApiKeyFormProps {
  /** Null removes the key. */
  onChange: (key: string | null) => void;
}

/** The key for every request from the page. It is kept until the page is closed, and never stored. */
export function ApiKeyForm({ onChange }: ApiKeyFormProps) {
  const [lastFour, setLastFour] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('apiKey')).trim();
    setError(key ? null : 'Paste your API key');
    if (!key) return input.current?.focus();
    onChange(key);
    setLastFour(key.slice(-4));
  }

  function forget() {
    onChange(null);
    setLastFour(null);
  }

  return (
    <section aria-label="API key" className="rounded-xl border border-line bg-surface p-5 sm:p-6">
      {lastFour ? (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p role="status" className="flex items-center gap-2.5">
            <span className="grid size-6 place-items-center rounded-full bg-accent text-on-accent">
              <CheckIcon />
            </span>
            <span>
              Requests use your key <code className="font-mono text-sm">…{lastFour}</code>
            </span>
          </p>
          <Button variant="secondary" size="small" onClick={forget}>
            Forget key
          </Button>
        </div>
      ) : (
        <form onSubmit={submit} className="flex flex-wrap items-start gap-3" noValidate>
          <div className="min-w-60 flex-1">
            <Field
              ref={input}
              label="Your API key"
              name="apiKey"
              type="password"
              placeholder="sk_…"
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              error={error}
            />
          </div>
          <Button type="submit" className="sm:mt-[1.625rem]">
            Authorize
          </Button>
        </form>
      )}
      <p className="mt-3 text-sm leading-relaxed text-muted">
        “Try it out” sends real requests with this key. The key stays in this page’s memory and is gone when you leave.
      </p>
    </section>
  );
}
