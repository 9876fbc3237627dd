import { useFormatter } from 'next-intl';
import type { FieldProps } from '../../form/fields';
import { useField } from '../../form/use-field';
import { Select } from '../../ui/select';

const hours = [0, 1, 2, 3, 4, 5, 6];

/** Formats an hour of the day: `4:00 am`. */
export function useHour(): (hour: number) => string {
  const format = useFormatter();
  return (hour) => format.dateTime(new Date(Date.UTC(2026, 0, 1, hour)), { timeStyle: 'short', timeZone: 'UTC' });
}

interface DayStartFieldProps extends FieldProps {
  /** What an empty choice, a null, means. Without it, an hour must be chosen. */
  none?: string;
}

/** The hour at which a business day starts. */
export function DayStartField({ name, label, hint, none }: DayStartFieldProps) {
  const { field, error } = useField(name);
  const hourText = useHour();
  const options = hours.map((hour) => ({ value: `${hour}`, label: hourText(hour) }));
  return (
    <Select
      {...field}
      value={field.value === null ? '' : `${field.value}`}
      onChange={(event) => field.onChange(event.target.value === '' ? null : Number(event.target.value))}
      label={label}
      hint={hint}
      error={error}
      options={none === undefined ? options : [{ value: '', label: none }, ...options]}
    />
  );
}
