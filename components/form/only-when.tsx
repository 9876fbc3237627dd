'use client';

import { type ReactNode, useEffect } from 'react';
import { useFormContext } from 'react-hook-form';

interface OnlyWhenProps {
  is: boolean;
  /** The names of the fields inside. */
  names: string[];
  children: ReactNode;
}

/**
 * Fields that only some choices need. While hidden, they have their initial values, so that they can't prevent saving.
 */
export function OnlyWhen({ is, names, children }: OnlyWhenProps) {
  const { resetField } = useFormContext();
  const fields = names.join();
  useEffect(() => {
    if (!is) for (const name of fields.split(',')) resetField(name);
  }, [is, fields, resetField]);
  return is ? children : null;
}
