'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Switch } from '../../ui/switch';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';

/** The switch that keeps events for systems that poll them. */
export function RecordingSetting() {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settings.get.queryOptions());
  const { settle } = useChange('settings');
  const change = useMutation(trpc.settings.change.mutationOptions(settle));
  if (!data) return null;
  // The switch shows its new position while it is saved.
  const recordsEvents = change.isPending ? change.variables.recordsEvents : data.recordsEvents;
  return (
    <section className="mt-10 flex items-start justify-between gap-6 border-t border-line pt-6">
      <div className="min-w-0">
        <h2 id="record-events" className="font-medium">
          {t('record')}
        </h2>
        <p id="record-events-hint" className="mt-1 max-w-xl text-sm leading-relaxed text-muted">
          {t('recordHint')}
        </p>
      </div>
      <Switch
        checked={recordsEvents === true}
        onChange={(checked) => change.mutate({ recordsEvents: checked })}
        disabled={change.isPending}
        labelledBy="record-events"
        describedBy="record-events-hint"
      />
    </section>
  );
}
