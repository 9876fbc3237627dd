import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names';

export const inputLook = (hasError: boolean) =>
  classNames(
    'block min-h-11 w-full rounded-lg border bg-surface px-3.5 text-base text-ink transition-colors sm:text-[0.9375rem]',
    'placeholder:text-muted focus-visible:outline-offset-0 disabled:opacity-60',
    hasError ? 'border-danger' : 'border-edge hover:border-ink',
  );

export interface FieldFrameProps {
  label: string;
  /** True to show the label to screen readers only, as in a filter bar. */
  isLabelHidden?: boolean;
  /** The note next to the label that the field is optional. */
  optional?: string | false;
  /** The field's purpose or format. */
  hint?: ReactNode;
  error?: string | null;
}

interface FrameProps extends FieldFrameProps {
  id: string;
  children: ReactNode;
}

/** The hint and the error below a control. */
export const FieldNotes = ({ id, hint, error }: Pick<FieldFrameProps, 'hint' | 'error'> & { id: string }) => (
  <>
    {hint ? (
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
        {hint}
      </p>
    ) : null}
    {error ? (
      <p id={`${id}-error`} className="mt-1.5 text-sm text-danger">
        {error}
      </p>
    ) : null}
  </>
);

/** A label above a control, with its hint and error below, associated for screen readers. */
export function FieldFrame({ id, label, isLabelHidden = false, optional, hint, error, children }: FrameProps) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'block text-sm font-medium'}>
        {label}
        {optional ? <span className="font-normal text-muted"> ({optional})</span> : null}
      </label>
      <div className={isLabelHidden ? undefined : 'mt-1.5'}>{children}</div>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** The attributes that associate a control with its frame. */
export function describedBy(id: string, { hint, error }: Pick<FieldFrameProps, 'hint' | 'error'>) {
  return {
    'aria-invalid': error ? true : undefined,
    'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
  } as const;
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'>, FieldFrameProps {
  /** A control at the end of the box, such as a toggle. */
  end?: ReactNode;
  /** A unit or a currency at the start of the box. */
  start?: string;
}

/** A labelled input; its error is associated for screen readers. */
export function Field({ label, optional, hint, error, start, end, className, ...input }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} optional={optional} hint={hint} error={error}>
      <div className="relative">
        {start ? (
          <span className="pointer-events-none absolute inset-y-0 left-0 flex items-center pl-3.5 text-muted">
            {start}
          </span>
        ) : null}
        <input
          {...input}
          {...describedBy(id, { hint, error })}
          id={id}
          className={classNames(inputLook(Boolean(error)), start ? 'pl-13' : null, end ? 'pr-12' : null, className)}
        />
        {end ? <div className="absolute inset-y-0 right-0 flex items-center pr-1 text-muted">{end}</div> : null}
      </div>
    </FieldFrame>
  );
}
