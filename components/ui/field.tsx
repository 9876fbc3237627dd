import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  error?: string | null;
  /** A control at the end of the box, such as a toggle. */
  end?: ReactNode;
}

/** A labelled input; its error is tied to it for screen readers. */
export function Field({ label, error, end, className, ...input }: FieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <div className="relative mt-1.5">
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          className={classNames(
            'block min-h-11 w-full rounded-lg border bg-surface px-3.5 text-base text-ink transition-colors',
            'placeholder:text-muted focus-visible:outline-offset-0',
            error ? 'border-danger' : 'border-edge hover:border-ink',
            end ? 'pr-12' : null,
            className,
          )}
        />
        {end ? <div className="absolute inset-y-0 right-0 flex items-center pr-1">{end}</div> : null}
      </div>
      {error ? (
        <p id={errorId} className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      ) : null}
    </div>
  );
}
