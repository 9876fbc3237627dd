import { zodResolver } from '@hookform/resolvers/zod';
import { useTranslations } from 'next-intl';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type { z } from 'zod';

/** A form validated by a domain schema, with errors in the reader's language. */
export function useZodForm<Values extends FieldValues, Output>(
  schema: z.ZodType<Output, Values>,
  defaultValues: DefaultValues<Values>,
) {
  const errorText = useErrorText();
  return useForm<Values, unknown, Output>({
    resolver: zodResolver(schema, { error: errorText }),
    defaultValues,
  });
}

/** Returns the error text for a value. Custom messages of the schema are translated by `useField` instead. */
function useErrorText() {
  const t = useTranslations('common');
  return (issue: z.core.$ZodRawIssue): string => {
    const isEmpty = issue.input === undefined || issue.input === null || issue.input === '';
    if (isEmpty) return t('required');
    switch (issue.code) {
      case 'too_big':
        return issue.origin === 'string'
          ? t('tooLong', { maximum: Number(issue.maximum) })
          : t('tooBig', { maximum: String(issue.maximum) });
      case 'too_small':
        return issue.origin === 'string'
          ? t('tooShort', { minimum: Number(issue.minimum) })
          : t('tooSmall', { minimum: String(issue.minimum) });
      case 'invalid_type':
        return issue.expected === 'int'
          ? t('wholeNumber')
          : issue.expected === 'number'
            ? t('notANumber')
            : t('badFormat');
      default:
        return t('badFormat');
    }
  };
}
