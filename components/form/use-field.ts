import { useController, useFormContext } from 'react-hook-form';
import { useDomainText } from '../messages/domain-text';

/** A value of the form around, and what is wrong with it: by the form, by a rule of the domain, or by its refusal. */
export function useField(name: string) {
  const { field, fieldState } = useController({ name, control: useFormContext().control });
  const domainText = useDomainText();
  const { message, type } = fieldState.error ?? {};
  return {
    field,
    error: message ? domainText(message) : null,
    /** The error names the least or the most that is allowed. */
    isOfLimit: type === 'too_small' || type === 'too_big',
  };
}
