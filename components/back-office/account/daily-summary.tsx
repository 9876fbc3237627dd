'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useRefusalText } from '../../calls/refusal';
import { useLanguage } from '../../messages/use-language';
import { Section } from '../../ui/section';
import { Switch } from '../../ui/switch';
import { useToast } from '../../ui/toast';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Loaded } from '../state/loaded';

/** Turns the e-mail with each day's figures on and off, for the business that is open. */
export function DailySummary() {
  const t = useTranslations('account');
  const { merchant } = useOffice();
  const trpc = useTRPC();
  const language = useLanguage();
  const toast = useToast();
  const refusalText = useRefusalText();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.reports.dailySummary.queryOptions());
  const change = useMutation(
    trpc.reports.setDailySummary.mutationOptions({
      onSuccess: () => toast.done(t('summarySaved')),
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => queryClient.invalidateQueries(trpc.reports.dailySummary.queryFilter()),
    }),
  );
  return (
    <Section title={t('summary')} description={t('summaryText', { merchantName: merchant.name })}>
      <Loaded query={query} height="h-8">
        {({ isOn }) => (
          <div className="flex items-center justify-between gap-6">
            <p id="daily-summary" className="text-sm font-medium">
              {t('summaryOn')}
            </p>
            <Switch
              checked={change.isPending ? change.variables.isOn : isOn}
              onChange={(next) => change.mutate({ isOn: next, language })}
              disabled={change.isPending}
              labelledBy="daily-summary"
            />
          </div>
        )}
      </Loaded>
    </Section>
  );
}
