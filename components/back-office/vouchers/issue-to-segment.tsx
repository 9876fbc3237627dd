'use client';

import { useTranslations } from 'next-intl';
import { useCallback, useState } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { everybody, segment } from '@/server/domain/vouchers/campaign-schemas';
import { useZodForm } from '../../form/use-zod-form';
import { Button } from '../../ui/button';
import { SegmentFields } from './segment-fields';
import { SegmentReach } from './segment-reach';
import { type IssueProps, useIssue } from './use-issue';

const segmentForm = z.strictObject({ segment });

/** Issues to a segment, once it is known how many that are. */
export function IssueToSegment(props: IssueProps) {
  const t = useTranslations('vouchers');
  const { issue, isPending } = useIssue(props);
  const form = useZodForm(segmentForm, { segment: everybody });
  const draft = useWatch({ control: form.control, name: 'segment' });
  const [expected, setExpected] = useState<number | null>(null);
  const keep = useCallback((count: number | null) => setExpected(count), []);
  const isReady = expected !== null && expected > 0 && !isPending;
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={form.handleSubmit((values) => {
          if (isReady) issue({ kind: 'segment', segment: values.segment, expected });
        })}
      >
        <SegmentFields />
        <SegmentReach draft={draft} onCount={keep} />
        <div>
          <Button type="submit" busy={!isReady}>
            {expected === null ? t('countFirst') : t('issueMany', { count: expected })}
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}
