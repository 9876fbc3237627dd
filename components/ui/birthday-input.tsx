'use client';

import { useId } from 'react';
import { classNames } from './class-names';
import { describedBy, type FieldFrameProps, FieldNotes, inputLook } from './field';
import { SelectBox } from './select';

interface BirthdayInputProps extends FieldFrameProps {
  /** Names the value in a form's data. */
  name: string;
  /** `1990-06-15`, `--06-15` without the year, or null; with parts that are empty while the birthday is incomplete. */
  value: string | null;
  onChange: (value: string | null) => void;
  locale: string;
  /** Gets the first part, to focus it. */
  firstRef?: (control: HTMLElement | null) => void;
}

const parts = ['year', 'month', 'day'] as const;
type Part = (typeof parts)[number];
const shape = /^(?<year>-|\d*)-(?<month>\d*)-(?<day>\d*)$/;
const widths: Record<Part, string> = { year: 'w-24', month: 'min-w-28 flex-1', day: 'w-22' };

/** A birthday in three parts, in the order of the reader's language. The year can be left out. */
export function BirthdayInput({ name, value, onChange, locale, firstRef, ...frame }: BirthdayInputProps) {
  const { label, optional, hint, error } = frame;
  const id = useId();
  const { year = '', month = '', day = '' } = shape.exec(value ?? '')?.groups ?? {};
  const given: Record<Part, string> = { year: year.replace('-', ''), month, day };
  const change = (part: Part, text: string) => {
    const next = { ...given, [part]: text };
    const isEmpty = parts.every((one) => next[one] === '');
    onChange(isEmpty ? null : `${next.year || '-'}-${next.month}-${next.day}`);
  };
  const names = new Intl.DisplayNames(locale, { type: 'dateTimeField' });
  const title = (part: Part) => capitalized(names.of(part) ?? part, locale);
  const described = describedBy(id, { hint, error });
  const order = orderIn(locale);
  const controlOf = (part: Part) => {
    const ref = part === order[0] ? firstRef : undefined;
    const control = { ...described, ref, 'aria-label': title(part), value: given[part] };
    if (part === 'year') {
      return (
        <input
          {...control}
          inputMode="numeric"
          autoComplete="bday-year"
          maxLength={4}
          placeholder={title('year')}
          onChange={(event) => change('year', event.target.value.replace(/\D/g, ''))}
          className={inputLook(Boolean(error))}
        />
      );
    }
    return (
      <SelectBox
        {...control}
        autoComplete={`bday-${part}`}
        onChange={(event) => change(part, event.target.value)}
        options={[{ value: '', label: title(part) }, ...optionsOf(part, locale)]}
        className={classNames('pr-8', given[part] === '' && 'text-muted')}
      />
    );
  };
  return (
    <fieldset className="min-w-0">
      <legend className="block text-sm font-medium">
        {label}
        {optional ? <span className="font-normal text-muted"> ({optional})</span> : null}
      </legend>
      <div className="mt-1.5 flex gap-2">
        {order.map((part) => (
          <div key={part} className={widths[part]}>
            {controlOf(part)}
          </div>
        ))}
      </div>
      <input type="hidden" name={name} value={value ?? ''} />
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  );
}

const capitalized = (word: string, locale: string) => word.charAt(0).toLocaleUpperCase(locale) + word.slice(1);

function orderIn(locale: string): Part[] {
  const written = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatToParts(0);
  return written.flatMap(({ type }) => parts.find((part) => part === type) ?? []);
}

const numbersTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

function optionsOf(part: 'month' | 'day', locale: string) {
  const months = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  return numbersTo(part === 'day' ? 31 : 12).map((number) => ({
    value: String(number).padStart(2, '0'),
    label: part === 'day' ? String(number) : months.format(Date.UTC(2024, number - 1)),
  }));
}
