import { useController, useFormContext } from 'react-hook-form';

/** A value of the surrounding form with its error: from the schema, a domain rule, or the server. */
export function useField(name: string) {
  const { field, fieldState } = useController({ name, control: useFormContext().control });
  const { message, type } = fieldState.error ?? {};
  return {
    field,
    error: message || null,
    /** True if the error states the minimum or maximum. */
    isLimitError: type === 'too_small' || type === 'too_big',
  };
}
