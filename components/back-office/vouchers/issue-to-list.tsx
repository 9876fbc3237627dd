'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { maxRecipients } from '@/server/domain/vouchers/campaign-schemas';
import { useRefusalText } from '../../calls/refusal';
import { Button } from '../../ui/button';
import { useDialogHold } from '../../ui/dialog';
import { describedBy, FieldFrame, inputLook } from '../../ui/field';
import { ScrollRegion } from '../../ui/scroll-region';
import { useToast } from '../../ui/toast';
import { useTRPC } from '../office/trpc';
import { type IssueProps, useIssue } from './use-issue';

/** Issues to a pasted list. Checks it first, and reports each unusable line. */
export function IssueToList(props: IssueProps) {
  const t = useTranslations('vouchers');
  const toast = useToast();
  const refusalText = useRefusalText();
  const id = useId();
  const [text, setText] = useState('');
  const { issue, isPending } = useIssue(props);
  useDialogHold(text !== '');
  const check = useMutation(
    useTRPC().vouchers.findRecipients.mutationOptions({ onError: (error) => toast.failed(refusalText(error)) }),
  );
  const lines = text.split('\n').slice(0, maxRecipients + 1);
  const error = lines.length > maxRecipients ? t('tooManyLines', { count: maxRecipients }) : null;
  const found = check.data;
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending || check.isPending || error || text.trim() === '') return;
        if (found) issue({ kind: 'customers', customerIds: found.customerIds });
        else check.mutate({ lines });
      }}
    >
      <FieldFrame id={id} label={t('list')} hint={t('listHint')} error={error}>
        <textarea
          {...describedBy(id, { hint: t('listHint'), error })}
          id={id}
          rows={7}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            check.reset();
          }}
          className={`${inputLook(Boolean(error))} py-2.5 font-mono text-sm`}
        />
      </FieldFrame>
      {found ? <Findings found={found} /> : null}
      <div>
        <Button
          type="submit"
          busy={isPending || check.isPending || text.trim() === '' || found?.customerIds.length === 0}
        >
          {found ? t('issueMany', { count: found.customerIds.length }) : t('checkList')}
        </Button>
      </div>
    </form>
  );
}

interface FindingsProps {
  found: { customerIds: string[]; repeated: number; problems: { line: number; text: string; reason: Reason }[] };
}
type Reason = 'unreadable' | 'unknown' | 'blocked';

function Findings({ found: { customerIds, repeated, problems } }: FindingsProps) {
  const t = useTranslations('vouchers');
  return (
    <div role="status" className="rounded-xl bg-tint px-4 py-3 text-sm">
      <p className="font-medium">{t('reaches', { count: customerIds.length })}</p>
      {repeated > 0 ? <p className="mt-1 text-muted">{t('repeated', { count: repeated })}</p> : null}
      {problems.length > 0 ? (
        <>
          <p className="mt-2 text-danger">{t('badLines', { count: problems.length })}</p>
          <ScrollRegion label={t('badLinesList')} className="mt-1 max-h-40 rounded">
            <ul>
              {problems.map(({ line, text, reason }) => (
                <li key={line} className="py-0.5 wrap-anywhere">
                  <span className="text-muted">{t('line', { line })}</span> <span className="font-mono">{text}</span>
                  {' – '}
                  {t(`${reason}Line`)}
                </li>
              ))}
            </ul>
          </ScrollRegion>
        </>
      ) : null}
    </div>
  );
}
