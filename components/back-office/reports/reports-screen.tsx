'use client';

import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
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
import { PointsReport } from './points-report';
import { SalesReport } from './sales-report';
import { presets, usePeriod } from './use-period';
import { VoidsReport } from './voids-report';
import { VoucherReport } from './voucher-report';

const reports = ['sales', 'payments', 'voids', 'liability', 'vouchers', 'points', 'balances'] as const;
/** Reports with a breakdown by store. Staff of named stores see their stores' part. */
const byStore = ['sales', 'payments', 'voids', 'liability', 'points'] as const;

export function ReportsScreen() {
  const t = useTranslations('reports');
  const shown: readonly (typeof reports)[number][] = useIsGeneralManager() ? reports : byStore;
  const [requested, setReport] = useQueryState('report', parseAsStringLiteral(reports));
  const report = shown.find((value) => value === requested) ?? 'sales';
  const [storeId, setStore] = useQueryState('store', parseAsString);
  const period = usePeriod();
  const days = { ...period.days, compare: period.compare };
  const filters = { ...days, storeId: report === 'vouchers' ? undefined : (storeId ?? undefined) };
  const panels = {
    sales: <SalesReport {...filters} />,
    payments: <PaymentsReport {...filters} />,
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
        actions={
          period.problem || report === 'balances' ? null : <ExportLink list={`report-${report}`} filters={filters} />
        }
      />
      {report === 'balances' ? null : (
        <FilterBar>
          <PeriodPicker period={period} compares={report !== 'voids'} />
          {report === 'vouchers' ? null : <StoreFilter storeId={storeId} onChange={(next) => void setStore(next)} />}
        </FilterBar>
      )}
      <Tabs
        label={t('title')}
        value={report}
        onChange={(next) => void setReport(next)}
        tabs={shown.map((value) => ({
          value,
          label: t(value === 'balances' || value === 'voids' ? `${value}.tab` : value),
          panel:
            period.problem && value !== 'balances' ? (
              <p role="alert">{t(`problem.${period.problem}`)}</p>
            ) : (
              panels[value]
            ),
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
