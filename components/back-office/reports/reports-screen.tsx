'use client';

import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { payoutsInput } from '@/server/domain/card-payments/schemas';
import { comparisons } from '@/server/domain/reports/schemas';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { Tabs } from '../../ui/tabs';
import { ExportLink } from '../lists/data-list';
import { DayRange } from '../lists/day-range';
import { FilterBar } from '../lists/filter-bar';
import { StoreFilter } from '../lists/store-filter';
import { useIsGeneralManager } from '../office/office';
import { BalancesReport } from './balances-report';
import { LiabilityReport } from './liability-report';
import { PaymentsReport } from './payments-report';
import { PayoutsReport } from './payouts-report';
import { PointsReport } from './points-report';
import { SalesReport } from './sales-report';
import { presets, usePeriod } from './use-period';
import { VoidsReport } from './voids-report';
import { VoucherReport } from './voucher-report';

const reports = ['sales', 'payments', 'payouts', 'voids', 'liability', 'vouchers', 'points', 'balances'] as const;
type Report = (typeof reports)[number];
/** Reports with a breakdown by store. Staff of named stores see their stores' part. */
const byStore: readonly Report[] = ['sales', 'payments', 'voids', 'liability', 'points'];
/** Reports that compare their period with another. */
const compared: readonly Report[] = ['sales', 'payments', 'liability', 'vouchers', 'points'];

export function ReportsScreen() {
  const t = useTranslations('reports');
  const shown: readonly Report[] = useIsGeneralManager() ? reports : byStore;
  const [requested, setReport] = useQueryState('report', parseAsStringLiteral(reports));
  const report = shown.find((value) => value === requested) ?? 'sales';
  const [storeId, setStore] = useQueryState('store', parseAsString);
  const period = usePeriod();
  const days = { ...period.days, compare: period.compare };
  const hasStores = byStore.includes(report);
  const filters = { ...days, storeId: hasStores ? (storeId ?? undefined) : undefined };
  const isTooLong = report === 'payouts' && !payoutsInput.safeParse(period.days).success;
  const problem = period.problem ?? (isTooLong ? 'month' : null);
  const panels = {
    sales: <SalesReport {...filters} />,
    payments: <PaymentsReport {...filters} />,
    payouts: <PayoutsReport {...period.days} />,
    voids: <VoidsReport {...filters} />,
    liability: <LiabilityReport {...filters} />,
    vouchers: <VoucherReport {...days} />,
    points: <PointsReport {...filters} />,
    balances: <BalancesReport />,
  };
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={problem || report === 'balances' ? null : <ExportLink list={`report-${report}`} filters={filters} />}
      />
      {report === 'balances' ? null : (
        <FilterBar>
          <PeriodPicker period={period} compares={compared.includes(report)} />
          {hasStores ? <StoreFilter storeId={storeId} onChange={(next) => void setStore(next)} /> : null}
        </FilterBar>
      )}
      <Tabs
        label={t('title')}
        value={report}
        onChange={(next) => void setReport(next)}
        tabs={shown.map((value) => ({
          value,
          label: t(value === 'balances' || value === 'voids' || value === 'payouts' ? `${value}.tab` : value),
          panel: problem && value !== 'balances' ? <p role="alert">{t(`problem.${problem}`)}</p> : panels[value],
        }))}
      />
    </>
  );
}

function PeriodPicker({ period, compares }: { period: ReturnType<typeof usePeriod>; compares: boolean }) {
  const t = useTranslations('reports');
  const { preset, days, compare, choose, setDays, setCompare } = period;
  const [isCustom, setCustom] = useState(false);
  return (
    <>
      <SelectBox
        aria-label={t('period')}
        value={preset}
        onChange={({ target }) => {
          setCustom(target.value === 'custom');
          choose(presets.find((one) => one === target.value) ?? 'month');
        }}
        options={presets.map((value) => ({ value, label: t(`presets.${value}`) }))}
      />
      {preset === 'custom' ? (
        <DayRange from={days.from} until={days.to} startsOpen={isCustom} onChange={setDays} />
      ) : null}
      {compares ? (
        <SelectBox
          aria-label={t('compare.label')}
          value={compare}
          onChange={({ target }) => setCompare(comparisons.find((one) => one === target.value) ?? 'before')}
          options={comparisons.map((value) => ({ value, label: t(`compare.${value}`) }))}
        />
      ) : null}
    </>
  );
}
