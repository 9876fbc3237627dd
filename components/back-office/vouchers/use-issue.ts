import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import type { Audience } from '@/server/domain/vouchers';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';

export interface IssueProps {
  campaignId: string;
  onDone: () => void;
}

/** Issues to an audience once: a retry after a lost response repeats the same issue. */
export function useIssue({ campaignId, onDone }: IssueProps) {
  const t = useTranslations('vouchers');
  const { toast, settle } = useChange('campaigns', 'vouchers');
  const { mutate, isPending } = useMutation(
    useTRPC().vouchers.issue.mutationOptions({
      ...settle,
      onSuccess: ({ issued, refused, isRunning }) => {
        toast.done(isRunning ? t('issuingToast') : t('issuedToast', { issued, refused }));
        onDone();
      },
    }),
  );
  const last = useRef({ key: '', issueId: '' });
  const issue = (audience: Audience) => {
    const key = JSON.stringify(audience);
    if (last.current.key !== key) last.current = { key, issueId: crypto.randomUUID() };
    mutate({ campaignId, issueId: last.current.issueId, audience });
  };
  return { issue, isPending };
}
