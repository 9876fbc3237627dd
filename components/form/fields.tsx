'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { classNames } from '../ui/class-names';
import { describedBy, Field, FieldFrame, type FieldFrameProps, inputLook } from '../ui/field';
import { type Option, Select } from '../ui/select';
import { Switch } from '../ui/switch';
import { parseDecimal } from './parse-amount';
import { useField } from './use-field';

export interface FieldProps {
  /** The path of the value in the form. */
  name: string;
  label: string;
  hint?: ReactNode;
  /** Allows an empty field. Its value is then null or an empty text. */
  optional?: boolean;
}

/** The word for an optional field, beside its label. */
export const useOptional = (optional: boolean | undefined) => {
  const t = useTranslations('common');
  return optional && t('optional');
};

type InputProps = Omit<ComponentProps<'input'>, 'name' | 'value' | 'onChange'>;

/** A line of text. With `optional`, an empty one is null. */
export function TextField({ name, label, hint, optional, ...input }: FieldProps & InputProps) {
  const { field, error } = useField(name);
  return (
    <Field
      {...input}
      {...field}
      value={field.value ?? ''}
      onChange={(event) => field.onChange(event.target.value === '' && optional ? null : event.target.value)}
      label={label}
      hint={hint}
      optional={useOptional(optional)}
      error={error}
    />
  );
}

export function TextAreaField({ name, label, hint, optional, rows = 3 }: FieldProps & { rows?: number }) {
  const { field, error } = useField(name);
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} optional={useOptional(optional)} error={error}>
      <textarea
        {...field}
        {...describedBy(id, { hint, error })}
        id={id}
        rows={rows}
        value={field.value ?? ''}
        onChange={(event) => field.onChange(event.target.value === '' && optional ? null : event.target.value)}
        className={`${inputLook(Boolean(error))} py-2.5`}
      />
    </FieldFrame>
  );
}

interface DecimalFieldProps extends FieldProps {
  /** Removes a unit that people may type with the number. */
  withoutUnit?: (text: string) => string;
  /** The decimal places to show of an integer value. */
  digits: number;
  start?: string;
  end?: string;
}

/** A decimal input whose value is an integer in its smallest unit; null when empty. */
export function DecimalField({ name, label, hint, optional, digits, start, end, withoutUnit }: DecimalFieldProps) {
  const t = useTranslations('common');
  const format = useFormatter();
  const { field, error, isLimitError } = useField(name);
  const [draft, setDraft] = useState<string | null>(null);
  const shown = field.value === null || field.value === undefined ? '' : toDecimal(field.value, digits);
  const example = toDecimal(1250, digits);
  // The schema's limits are in the stored unit.
  const problem = isLimitError
    ? error?.replace(/-?\d+/, (limit) => {
        const style = { minimumFractionDigits: digits, maximumFractionDigits: digits };
        return format.number(Number(limit) / 10 ** digits, style);
      })
    : error;
  const parse = (text: string) => parseDecimal(withoutUnit ? withoutUnit(text) : text, digits);
  const isMisread = draft !== null && draft.trim() !== '' && parse(draft) === null;
  return (
    <Field
      inputMode={digits > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      ref={field.ref}
      name={name}
      value={draft ?? shown}
      onChange={(event) => {
        setDraft(event.target.value);
        const value = parse(event.target.value);
        // Unreadable text becomes NaN, which the schema refuses.
        field.onChange(event.target.value.trim() === '' ? null : (value ?? Number.NaN));
      }}
      onBlur={() => {
        if (!isMisread) setDraft(null);
        field.onBlur();
      }}
      label={label}
      hint={hint}
      optional={useOptional(optional)}
      error={isMisread && error ? t('badAmount', { example }) : problem}
      start={start}
      end={end ? <span className="pr-3">{end}</span> : undefined}
    />
  );
}

const toDecimal = (value: number, digits: number) =>
  Number.isFinite(value) ? (value / 10 ** digits).toFixed(digits) : '';

/** A percentage, with a value in hundredths of a percent. */
export const PercentField = (props: FieldProps) => (
  <DecimalField {...props} digits={2} end="%" withoutUnit={(text) => text.replace(/\s*%\s*$/, '')} />
);

/** A whole number. */
export const NumberField = (props: FieldProps & { start?: string; end?: string }) => (
  <DecimalField {...props} digits={0} />
);

export function SelectField({ name, label, hint, optional, options }: FieldProps & { options: Option[] }) {
  const { field, error } = useField(name);
  return (
    <Select
      {...field}
      value={field.value ?? ''}
      onChange={(event) => field.onChange(event.target.value === '' ? null : event.target.value)}
      label={label}
      hint={hint}
      optional={useOptional(optional)}
      error={error}
      options={options}
    />
  );
}

/** `unavailable`: why it can't be on now. It then shows as off, even if it was turned on before. */
export function SwitchField({ name, label, hint, unavailable }: FieldProps & { unavailable?: string | undefined }) {
  const { field } = useField(name);
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <p id={id} className="text-sm font-medium">
          {label}
        </p>
        {hint ? (
          <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
            {hint}
          </p>
        ) : null}
        {unavailable === undefined ? null : <p className="mt-1 text-sm font-medium text-caution">{unavailable}</p>}
      </div>
      <Switch
        checked={unavailable === undefined && Boolean(field.value)}
        onChange={field.onChange}
        disabled={unavailable !== undefined}
        labelledBy={id}
        describedBy={hint ? `${id}-hint` : undefined}
      />
    </div>
  );
}

interface ChoicesProps extends FieldProps {
  options: (Option & { hint?: string })[];
}

/** A group of choices with its label and error, associated for screen readers. */
function ChoicesFrame({ label, hint, error, children }: FieldFrameProps & { children: ReactNode }) {
  const id = useId();
  return (
    <fieldset {...describedBy(id, { hint, error })}>
      <legend className="text-sm font-medium">{label}</legend>
      {hint ? (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      ) : null}
      {children}
      {error ? (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

/** One of a few choices, all visible. */
/** One of a few choices. `isShort`: their labels are words, which fit beside each other on a phone, too. */
export function RadioField({ name, label, hint, options, isShort = false }: ChoicesProps & { isShort?: boolean }) {
  const { field, error } = useField(name);
  return (
    <ChoicesFrame label={label} hint={hint} error={error}>
      <div className={classNames('mt-2 grid gap-2', isShort ? 'auto-cols-fr grid-flow-col' : 'sm:grid-cols-2')}>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-pointer gap-3 rounded-xl border border-edge bg-surface px-3.5 py-2.5 has-checked:border-accent has-checked:bg-tint"
          >
            <input
              type="radio"
              name={field.name}
              value={option.value}
              checked={field.value === option.value}
              onChange={() => field.onChange(option.value)}
              onBlur={field.onBlur}
              className="mt-0.5 size-4.5 shrink-0 accent-accent"
            />
            <span className="min-w-0 text-sm">
              <span className="block font-medium">{option.label}</span>
              {option.hint ? <span className="mt-0.5 block text-muted">{option.hint}</span> : null}
            </span>
          </label>
        ))}
      </div>
    </ChoicesFrame>
  );
}

/** Any number of a few choices: an array of their values. */
export function CheckboxesField({ name, label, hint, options }: ChoicesProps) {
  const { field, error } = useField(name);
  const chosen: string[] = field.value ?? [];
  return (
    <ChoicesFrame label={label} hint={hint} error={error}>
      <div className="mt-2 flex flex-col gap-1">
        {options.map(({ value, label: text, hint: more }) => (
          <label
            key={value}
            className={classNames(
              'flex min-h-9 cursor-pointer gap-3 text-sm',
              more ? 'items-start py-1.5' : 'items-center',
            )}
          >
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) =>
                field.onChange(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
              onBlur={field.onBlur}
              className="size-4.5 shrink-0 accent-accent"
            />
            {more ? (
              <span className="min-w-0">
                <span className="block font-medium">{text}</span>
                <span className="mt-0.5 block text-muted">{more}</span>
              </span>
            ) : (
              text
            )}
          </label>
        ))}
      </div>
    </ChoicesFrame>
  );
}
