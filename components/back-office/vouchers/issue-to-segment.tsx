'use client';

import { useTranslations } from 'next-intl';
import { FormProvider, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { allCustomers, segment } from '@/server/domain/vouchers/campaign-schemas';
import { useZodForm } from '../../form/use-zod-form';
import { Button } from '../../ui/button';
import { useDialogHold } from '../../ui/dialog';
import { SegmentFields } from './segment-fields';
import { ReachText } from './segment-reach';
import { type IssueProps, useIssue } from './use-issue';
import { useSegmentCount } from './use-segment-count';

const segmentForm = z.strictObject({ segment });

/** Issues to a segment, once its customers have been counted. */
export function IssueToSegment(props: IssueProps) {
  const t = useTranslations('vouchers');
  const { issue, isPending } = useIssue(props);
  const form = useZodForm(segmentForm, { segment: allCustomers });
  useDialogHold(form.formState.isDirty);
  const { count, start } = useSegmentCount(useWatch({ control: form.control, name: 'segment' }));
  const reached = count?.isDone ? count.customers : null;
  const isBusy = isPending || count?.isDone === false || reached === 0;
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={form.handleSubmit((values) => {
          if (isBusy) return;
          if (reached === null) return start();
          issue({ kind: 'segment', segment: values.segment, expected: reached });
        })}
      >
        <SegmentFields />
        <ReachText count={count} />
        <div>
          <Button type="submit" busy={isBusy}>
            {reached === null ? t('countCustomers') : t('issueMany', { count: reached })}
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}
