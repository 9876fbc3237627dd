'use client';

import { useTranslations } from 'next-intl';
import { type ComponentProps, useState } from 'react';
import { useField } from '../form/use-field';
import { Field } from '../ui/field';
import { EyeIcon, EyeOffIcon } from '../ui/icons';

/** A password field with a button that reveals the text. */
export function PasswordField(field: Omit<ComponentProps<typeof Field>, 'type' | 'end'>) {
  const t = useTranslations('signIn');
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={1024}
      end={
        <button
          type="button"
          aria-label={isShown ? t('hidePassword') : t('showPassword')}
          onClick={() => setShown(!isShown)}
          className="grid size-9 place-items-center rounded-md text-muted hover:text-ink"
        >
          {isShown ? <EyeOffIcon /> : <EyeIcon />}
        </button>
      }
    />
  );
}

/** A password field for a value of the surrounding form. */
export function PasswordInForm({
  name,
  ...look
}: { name: string } & Omit<ComponentProps<typeof PasswordField>, 'name'>) {
  const { field, error } = useField(name);
  return <PasswordField {...look} {...field} value={field.value ?? ''} error={error} />;
}
