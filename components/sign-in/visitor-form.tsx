'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { type FieldValues, FormProvider, type Path, type UseFormReturn } from 'react-hook-form';
import { asRefusal, useRefusalText } from '../calls/refusal';
import { useField } from '../form/use-field';
import { useSentence } from '../messages/use-sentence';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { SpinnerIcon } from '../ui/icons';
import { PasswordInForm } from './password-field';

interface VisitorFormProps<Values extends FieldValues, Output> {
  /** From `useZodForm`. */
  form: UseFormReturn<Values, unknown, Output>;
  /** Sends the form. Errors that it throws are shown at the fields they name. */
  onSend: (values: Output) => Promise<unknown>;
  label: string;
  busyLabel: string;
  children: ReactNode;
}

/** A form before sign-in, with few fields and one button. It does not warn before leaving. */
export function VisitorForm<Values extends FieldValues, Output>(props: VisitorFormProps<Values, Output>) {
  const { form, onSend, label, busyLabel, children } = props;
  const t = useTranslations('signIn');
  const refusalText = useRefusalText();
  const sentenceText = useSentence();
  const [failure, setFailure] = useState<string | null>(null);
  const { isSubmitting } = form.formState;

  async function send(values: Output): Promise<void> {
    setFailure(null);
    try {
      await onSend(values);
    } catch (error) {
      const issues = asRefusal(error)?.data?.issues ?? [];
      for (const { path, sentence } of issues) {
        const problem = { type: 'server', message: sentenceText(sentence) };
        form.setError(path as Path<Values>, problem, { shouldFocus: true });
      }
      if (issues.length === 0) setFailure(refusalText(error));
    }
  }

  return (
    <FormProvider {...form}>
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          if (isSubmitting) event.preventDefault();
          else void form.handleSubmit(send)(event);
        }}
        className="space-y-5"
      >
        {failure ? (
          <Alert tone="danger" title={t('failedTitle')}>
            {failure}
          </Alert>
        ) : null}
        {children}
        <Button type="submit" busy={isSubmitting} className="w-full">
          {isSubmitting ? <SpinnerIcon /> : null}
          {isSubmitting ? busyLabel : label}
        </Button>
      </form>
    </FormProvider>
  );
}

/** A field for a new password. `username` is the account's, for password managers. */
export function NewPasswordField({ name, username }: { name: string; username: string }) {
  const t = useTranslations('signIn');
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInForm name={name} label={t('newPassword')} hint={t('newPasswordHint')} autoComplete="new-password" />
    </>
  );
}

export function EmailField({ name }: { name: string }) {
  const t = useTranslations('signIn');
  const { field, error } = useField(name);
  return (
    <Field
      {...field}
      label={t('email')}
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      error={error ? t('emailMissing') : null}
    />
  );
}
