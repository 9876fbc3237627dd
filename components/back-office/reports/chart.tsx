'use client';

import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/skeleton';

function ChartLoading() {
  return <Skeleton label={useTranslations('common')('loading')} className="h-80" />;
}

const dayChart = () => import('./day-chart');
// Loading starts at once, so that the chart is ready when its figures are.
if (typeof window !== 'undefined') void dayChart();

/** Charts are loaded separately, because their library is large. The table next to a chart has the same figures. */
export const DayChart = dynamic(() => dayChart().then((module) => module.DayChart), {
  ssr: false,
  loading: ChartLoading,
});
export const CampaignChart = dynamic(() => import('./campaign-chart').then((module) => module.CampaignChart), {
  ssr: false,
  loading: ChartLoading,
});

/** A chart with its table next to it; below it on a phone. */
export function ChartAndTable({ chart, table }: { chart: ReactNode; table: ReactNode }) {
  return (
    <div className="grid gap-x-8 gap-y-5 xl:grid-cols-[minmax(23rem,1fr)_minmax(0,max-content)]">
      <div className="min-w-0">{chart}</div>
      <div className="min-w-0">{table}</div>
    </div>
  );
}
