import { TRPCClientError } from '@trpc/client';
import { useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { useSentence } from '@/components/messages/use-sentence';
import type { StaffRouter } from '@/server/trpc/staff/router';

export const asRefusal = (error: unknown): TRPCClientError<StaffRouter> | null =>
  error instanceof TRPCClientError ? (error as TRPCClientError<StaffRouter>) : null;

/** Describes an error in the reader's language. */
export function useRefusalText() {
  const t = useTranslations();
  const sentenceText = useSentence();
  return useCallback(
    (error: unknown): string => {
      const refusal = asRefusal(error);
      if (!refusal?.data) return t('common.offline');
      switch (refusal.data.code) {
        case 'UNAUTHORIZED':
          return t('common.signedOut');
        case 'FORBIDDEN':
          return refusal.data.reason === 'role_forbidden' || refusal.data.reason === null
            ? t('shell.forbiddenText')
            : sentenceText(refusal.data.sentence);
        case 'INTERNAL_SERVER_ERROR':
          return t('common.genericError');
        default:
          return sentenceText(refusal.data.sentence);
      }
    },
    [t, sentenceText],
  );
}
