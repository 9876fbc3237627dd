'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { type FieldValues, FormProvider, type Path, type UseFormReturn, useFormContext } from 'react-hook-form';
import { asRefusal, useRefusalText } from '../back-office/refusal';
import { Button } from '../ui/button';
import { useToast } from '../ui/toast';
import { LeaveGuard } from './leave-guard';

interface FormProps<Values extends FieldValues, Output> {
  /** Of `useZodForm`. */
  form: UseFormReturn<Values, unknown, Output>;
  /** Saves; what it throws is shown, at the fields that it names. */
  onSave: (values: Output) => Promise<unknown>;
  saveLabel?: string;
  /** Told in a toast once it was saved. */
  savedMessage?: string;
  onCancel?: () => void;
  children: ReactNode;
}

/** A form that loses nothing: errors at the fields and in a summary, one save at a time, a warning before leaving. */
export function Form<Values extends FieldValues, Output>(props: FormProps<Values, Output>) {
  const { form, onSave, saveLabel, savedMessage, onCancel, children } = props;
  const t = useTranslations('common');
  const toast = useToast();
  const refusalText = useRefusalText();
  const [failure, setFailure] = useState<string | null>(null);
  const { isSubmitting, isDirty } = form.formState;

  async function save(values: Output): Promise<void> {
    try {
      await onSave(values);
    } catch (error) {
      for (const { path, message } of asRefusal(error)?.data?.issues ?? []) {
        form.setError(path as Path<Values>, { type: 'server', message });
      }
      setFailure(refusalText(error));
      return;
    }
    // What was saved is what a change is measured from.
    form.reset(form.getValues());
    if (savedMessage) toast.done(savedMessage);
  }

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => {
          // A form in a dialog stands, for React, inside the form of the page below.
          event.stopPropagation();
          setFailure(null);
          if (isSubmitting) event.preventDefault();
          else void form.handleSubmit(save)(event);
        }}
        className="flex flex-col gap-5"
      >
        {children}
        <Problems failure={failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={isSubmitting}>
            {isSubmitting ? t('saving') : (saveLabel ?? t('save'))}
          </Button>
          {onCancel ? (
            <Button variant="secondary" onClick={onCancel}>
              {t('cancel')}
            </Button>
          ) : null}
        </div>
      </form>
      <LeaveGuard isOn={isDirty && !isSubmitting} />
    </FormProvider>
  );
}

/** Beside the button that was pressed, so that it is seen however long the form is. */
function Problems({ failure }: { failure: string | null }) {
  const t = useTranslations('common');
  const { errors } = useFormContext().formState;
  const count = Object.keys(errors).length;
  if (count === 0 && !failure) return null;
  return (
    <div role="alert" className="rounded-xl bg-danger-tint px-4 py-3 text-sm text-danger">
      <p className="font-medium">{count > 0 ? t('formProblem', { count }) : t('notSaved')}</p>
      {failure ? <p className="mt-0.5">{failure}</p> : null}
    </div>
  );
}
