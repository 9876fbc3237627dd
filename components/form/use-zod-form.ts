import { toNestErrors } from '@hookform/resolvers';
import { useTranslations } from 'next-intl';
import { type DefaultValues, type FieldErrors, type FieldValues, useForm } from 'react-hook-form';
import type { z } from 'zod';
import type { SentenceKey } from '@/server/domain/kernel/say';
import { useSentence } from '../messages/use-sentence';

/** Names every field, so that none is forgotten. Undefined for a field that starts empty. */
export type StartValues<Values> = { [Name in keyof Values]: Values[Name] | undefined };

/** A form validated by a domain schema, with errors in the reader's language. */
export function useZodForm<Values extends FieldValues, Output>(
  schema: z.ZodType<Output, Values>,
  startValues: StartValues<Values>,
) {
  const issueText = useErrorText();
  return useForm<Values, unknown, Output>({
    resolver: (values, _, options) => {
      const { data, error } = schema.safeParse(values, { reportInput: true });
      if (!error) return { values: data, errors: {} };
      const errors: FieldErrors = {};
      for (const issue of error.issues) {
        errors[issue.path.join('.')] ??= { type: issue.code, message: issueText(issue) };
      }
      return { values: {}, errors: toNestErrors<Values>(errors, options) };
    },
    defaultValues: startValues as DefaultValues<Values>,
  });
}

/** Returns the error text for a value: the schema's `problem`, or else the name of its kind of mistake. */
function useErrorText() {
  const t = useTranslations('common');
  const tErrors = useTranslations('errors');
  const sentenceText = useSentence();
  return (issue: z.core.$ZodIssue): string => {
    const key = issue.message as SentenceKey;
    if (tErrors.has(key)) return sentenceText({ key, values: issue.code === 'custom' ? (issue.params ?? {}) : {} });
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
      case 'invalid_format':
        return issue.format === 'email' ? t('badEmail') : t('badFormat');
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
