'use client';

import { type FieldProps, useOptional } from '../../form/fields';
import { useField } from '../../form/use-field';
import { Field } from '../../ui/field';
import { useToday } from '../state/use-merchant-clock';

/** A date without a time, `YYYY-MM-DD`; null when empty. `pastWarning` is shown for a day before today. */
export function DateField({ name, label, hint, optional, pastWarning }: FieldProps & { pastWarning?: string }) {
  const { field, error } = useField(name);
  const today = useToday();
  return (
    <div>
      <Field
        type="date"
        {...field}
        value={field.value ?? ''}
        onChange={(event) => field.onChange(event.target.value === '' ? null : event.target.value)}
        label={label}
        hint={hint}
        optional={useOptional(optional)}
        error={error}
      />
      <p role="status" className="mt-2 rounded-lg bg-caution-tint px-3.5 py-2.5 text-sm text-caution empty:hidden">
        {field.value && field.value < today ? pastWarning : null}
      </p>
    </div>
  );
}
