'use client';

import { type ReactNode, useEffect } from 'react';
import { useFormContext } from 'react-hook-form';

interface OnlyWhenProps {
  is: boolean;
  /** The names of the fields within. */
  names: string[];
  children: ReactNode;
}

/** Fields that only some choices ask for. Out of sight they are as the form began: nothing unseen keeps it from being saved. */
export function OnlyWhen({ is, names, children }: OnlyWhenProps) {
  const { resetField } = useFormContext();
  const fields = names.join();
  useEffect(() => {
    if (!is) for (const name of fields.split(',')) resetField(name);
  }, [is, fields, resetField]);
  return is ? children : null;
}
