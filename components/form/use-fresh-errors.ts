import { useEffect, useRef } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

const lasting = ['server', 'contested'];

/**
 * Checks the fields with errors again at every change, because changing another field may have solved them. An error
 * that only the server can detect stays until its own field changes.
 */
export function useFreshErrors<Values extends FieldValues, Output>(form: UseFormReturn<Values, unknown, Output>): void {
  const { subscribe, trigger } = form;
  const { errors } = form.formState;
  const latest = useRef(errors);
  latest.current = errors;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: () => {
          const found = Object.entries(latest.current).filter(([, error]) => !lasting.includes(String(error?.type)));
          if (found.length > 0) void trigger(found.map(([name]) => name as Path<Values>));
        },
      }),
    [subscribe, trigger],
  );
}
