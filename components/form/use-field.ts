import { useController, useFormContext } from 'react-hook-form';

/** A value of the form around, and what is wrong with it: by the form, by a rule of the domain, or by its refusal. */
export function useField(name: string) {
  const { field, fieldState } = useController({ name, control: useFormContext().control });
  const { message, type } = fieldState.error ?? {};
  return {
    field,
    error: message || null,
    /** The error names the least or the most that is allowed. */
    isOfLimit: type === 'too_small' || type === 'too_big',
  };
}
