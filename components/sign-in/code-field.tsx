'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { useField } from '../form/use-field';
import { Field } from '../ui/field';

/** A field for a code of the authenticator app, a recovery code, or either. */
export function CodeField({ accepts = 'either' }: { accepts?: 'app' | 'recovery' | 'either' }) {
  const t = useTranslations('secondFactors');
  const { field, error } = useField('code');
  const [isRecovery, setRecovery] = useState(accepts === 'recovery');
  const input = useRef<HTMLInputElement>(null);
  // It gets the focus, because the page or dialog opened for it.
  useEffect(() => input.current?.focus(), []);
  const look = isRecovery
    ? { label: t('recoveryCode'), autoComplete: 'off', autoCapitalize: 'none', maxLength: 40 }
    : {
        label: t('code'),
        hint: t('codeHint'),
        autoComplete: 'one-time-code',
        inputMode: 'numeric' as const,
        maxLength: 10,
      };
  return (
    <div>
      <Field {...field} {...look} ref={input} value={field.value ?? ''} spellCheck={false} error={error} />
      {accepts === 'either' ? (
        <button
          type="button"
          className="mt-2 text-sm font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
          onClick={() => {
            setRecovery(!isRecovery);
            field.onChange('');
            input.current?.focus();
          }}
        >
          {isRecovery ? t('useApp') : t('useRecovery')}
        </button>
      ) : null}
    </div>
  );
}
