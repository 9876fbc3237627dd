'use client';

import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import type { CampaignDetail } from './types';

const occasions = {
  customers: 'manual',
  segment: 'seasonal',
  birthday: 'birthday',
  anniversary: 'anniversary',
} as const;

type Issue = CampaignDetail['issues'][number];

/** The latest issues, with the progress of running ones. */
export function IssueHistory({ issues, isPaused }: { issues: Issue[]; isPaused: boolean }) {
  const t = useTranslations('vouchers');
  if (issues.length === 0) return null;
  return (
    <Section title={t('issues')} description={t('issuesDescription')}>
      <ul className="flex flex-col">
        {issues.map((issue) => (
          <IssueLine key={issue.issueId} issue={issue} isPaused={isPaused} />
        ))}
      </ul>
    </Section>
  );
}

function IssueLine({ issue, isPaused }: { issue: Issue; isPaused: boolean }) {
  const t = useTranslations('vouchers');
  const { dateTime, calendarDate } = useFormat();
  const { audience, occasionOn, issuedBy, requested, issued, refused, isFinished, createdAt } = issue;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-3 text-sm first:border-0">
      <div className="min-w-0">
        <p className="font-medium">
          {occasionOn === null
            ? t(audience === 'customers' ? 'customersAudience' : 'segmentAudience')
            : t('occasionIssue', { occasion: t(occasions[audience]), day: calendarDate(occasionOn) })}
        </p>
        <p className="text-muted">
          {dateTime(createdAt)}
          {issuedBy === null ? null : ` · ${issuedBy}`}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3 tabular-nums">
        <span>{t('issueCount', { issued, refused, kind: occasionOn === null ? 'hand' : 'occasion' })}</span>
        {isFinished ? null : (
          <>
            {requested ? (
              <progress
                aria-label={t('progress')}
                max={requested}
                value={Math.min(issued + refused, requested)}
                className="h-2 w-28 overflow-hidden rounded-full accent-accent"
              />
            ) : null}
            <Badge tone={isPaused ? 'caution' : 'neutral'}>{isPaused ? t('paused') : t('underWay')}</Badge>
          </>
        )}
      </div>
    </li>
  );
}
