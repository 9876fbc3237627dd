'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type FieldValues, FormProvider, type Path, type UseFormReturn, useFormContext } from 'react-hook-form';
import { asRefusal, useRefusalText } from '../calls/refusal';
import { useSentence } from '../messages/use-sentence';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { useDialogHold } from '../ui/dialog';
import { useToast } from '../ui/toast';
import { LeaveGuard } from './leave-guard';
import { useReloadLatest } from './opened';
import { useFreshErrors } from './use-fresh-errors';

interface FormProps<Values extends FieldValues, Output> {
  /** From `useZodForm`. */
  form: UseFormReturn<Values, unknown, Output>;
  /** Saves. Errors that it throws are shown at the fields they name. */
  onSave: (values: Output) => Promise<unknown>;
  saveLabel?: string;
  /** Shown in a toast after saving. */
  savedMessage?: string;
  onCancel?: () => void;
  cancelLabel?: string;
  /** True for a destructive action. */
  isDangerous?: boolean;
  /** True for one of several forms on a page: only those with changes can be saved, and say so. */
  isOneOfSeveral?: boolean;
  children: ReactNode;
}

/**
 * A form that loses no input: it shows errors at the fields and in a summary, can't be changed while saving, and warns
 * before leaving.
 */
export function Form<Values extends FieldValues, Output>(props: FormProps<Values, Output>) {
  const {
    form,
    onSave,
    saveLabel,
    savedMessage,
    onCancel,
    cancelLabel,
    isDangerous,
    isOneOfSeveral = false,
    children,
  } = props;
  const t = useTranslations('common');
  const toast = useToast();
  const refusalText = useRefusalText();
  const sentenceText = useSentence();
  const [failure, setFailure] = useState<Failure | null>(null);
  const { isSubmitting, isDirty } = form.formState;
  const isIdle = isOneOfSeveral && !isDirty;
  const { isSaving, whileSaving } = useSaving();
  useDialogHold(isDirty);
  useFreshErrors(form);

  async function save(values: Output): Promise<void> {
    try {
      await whileSaving(() => onSave(values));
    } catch (error) {
      const { code, reason, issues = [] } = asRefusal(error)?.data ?? {};
      for (const { path, sentence } of issues) {
        form.setError(path as Path<Values>, { type: 'server', message: sentenceText(sentence) });
      }
      const isSignedOut = code === 'UNAUTHORIZED';
      setFailure({
        text: isSignedOut ? t('signedOutInForm') : refusalText(error),
        isAtFields: issues.length > 0 && issues.every(({ path }) => String(path.split('.')[0]) in form.getValues()),
        isSignedOut,
        isEditedMeanwhile: reason === 'edited_meanwhile',
      });
      return;
    }
    // From now on, changes are compared with the saved values.
    form.reset(form.getValues());
    if (savedMessage) toast.done(savedMessage);
  }

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => {
          // In React, a form in a dialog is inside the form of the page below it.
          event.stopPropagation();
          setFailure(null);
          if (isSubmitting) event.preventDefault();
          else void form.handleSubmit(save)(event);
        }}
        // Hides problems that a change may have solved. The next save reports them again.
        onInput={() =>
          setFailure((current) => (current && (current.isSignedOut || current.isEditedMeanwhile) ? current : null))
        }
        className="flex flex-col gap-5"
      >
        {/* Anything typed while saving would not be saved. */}
        <div inert={isSaving} className="flex flex-col gap-5">
          {children}
        </div>
        <Problems failure={failure} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            variant={isDangerous ? 'danger' : isIdle ? 'secondary' : 'primary'}
            busy={isSubmitting || isIdle}
          >
            {isSubmitting ? t('saving') : (saveLabel ?? t('save'))}
          </Button>
          {onCancel ? (
            <Button variant="secondary" onClick={onCancel}>
              {cancelLabel ?? t('cancel')}
            </Button>
          ) : null}
          {isOneOfSeveral && isDirty ? (
            <>
              <Button variant="quiet" onClick={() => form.reset()}>
                {t('leave')}
              </Button>
              <Badge tone="caution">{t('unsaved')}</Badge>
            </>
          ) : null}
        </div>
      </form>
      <LeaveGuard isOn={isDirty && !isSubmitting} />
    </FormProvider>
  );
}

/** Tracks whether a save is in progress. Afterwards, the field that had the focus gets it back. */
function useSaving() {
  const [isSaving, setSaving] = useState(false);
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isSaving && isLost && focused.current instanceof HTMLElement) focused.current.focus();
  }, [isSaving]);
  return {
    isSaving,
    async whileSaving(save: () => Promise<unknown>): Promise<void> {
      focused.current = document.activeElement;
      setSaving(true);
      try {
        await save();
      } finally {
        setSaving(false);
      }
    },
  };
}

interface Failure {
  text: string;
  /** True if the errors are shown at their fields. */
  isAtFields: boolean;
  isSignedOut: boolean;
  isEditedMeanwhile: boolean;
}

/** Shown next to the button, so that it is visible however long the form is. */
function Problems({ failure }: { failure: Failure | null }) {
  const t = useTranslations('common');
  const reloadLatest = useReloadLatest();
  const { errors } = useFormContext().formState;
  const count = Object.keys(errors).length;
  if (count === 0 && !failure) return null;
  return (
    <div role="alert" className="rounded-xl bg-danger-tint px-4 py-3 text-sm text-danger">
      <p className="font-medium">{count > 0 ? t('formProblem', { count }) : t('notSaved')}</p>
      {failure && !failure.isAtFields ? <p className="mt-0.5">{failure.text}</p> : null}
      {failure?.isSignedOut ? (
        <a href="/sign-in" target="_blank" rel="noreferrer" className="mt-1 inline-block font-medium underline">
          {t('signInElsewhere')}
        </a>
      ) : null}
      {failure?.isEditedMeanwhile && reloadLatest ? (
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button variant="secondary" size="small" onClick={() => void reloadLatest()}>
            {t('loadPresent')}
          </Button>
          <span>{t('loadPresentHint')}</span>
        </div>
      ) : null}
    </div>
  );
}
