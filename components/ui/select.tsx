import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names';
import { describedBy, FieldFrame, type FieldFrameProps, inputLook } from './field';

export interface Option {
  value: string;
  label: string;
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'id'>, FieldFrameProps {
  options: Option[];
}

/** The platform's native select, which works on every phone, keyboard and screen reader. */
export function Select({ label, optional, hint, error, options, className, ...select }: SelectProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} optional={optional} hint={hint} error={error}>
      <SelectBox {...select} {...describedBy(id, { hint, error })} id={id} options={options} className={className} />
    </FieldFrame>
  );
}

/** A select without a frame: for filters, which have an `aria-label`. */
export function SelectBox({
  options,
  className,
  ...select
}: ComponentProps<'select'> & { options: Option[]; 'aria-invalid'?: boolean }) {
  return (
    <div className="relative">
      <select
        {...select}
        className={classNames(inputLook(Boolean(select['aria-invalid'])), 'appearance-none pr-10', className)}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden="true"
      />
    </div>
  );
}
