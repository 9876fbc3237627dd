import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Ticket } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Period } from '@/server/domain/reports';
import { EmptyState } from '../../ui/empty-state';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Change, ComparedWith } from './change';
import { CampaignChart, ChartAndTable } from './chart';
import { seriesColors } from './chart-parts';
import { Figure, Figures } from './figure';
import { FigureName } from './figure-name';
import { FigureTable } from './figure-table';
import { VoucherEffect } from './voucher-effect';

/** More bars would be hard to distinguish. */
const maxInChart = 8;

/** Vouchers issued and redeemed, by campaign. */
export function VoucherReport(period: Period) {
  const t = useTranslations('reports');
  const figures = useTranslations('figures');
  const { money, number } = useFormat();
  const query = useQuery({
    ...useTRPC().reports.vouchers.queryOptions(period),
    placeholderData: keepPreviousData,
  });
  const series = [
    { key: 'issued', name: figures('vouchersIssued.name'), color: seriesColors.first },
    { key: 'redeemed', name: figures('vouchersRedeemed.name'), color: seriesColors.second },
  ];
  return (
    <Loaded query={query}>
      {({ from, to, asOf, campaigns, total, before }) => (
        <>
          <ComparedWith from={from} to={to} compare={period.compare} asOf={asOf} />
          <Figures>
            <Figure
              figure="vouchersIssued"
              value={number(total.issued)}
              note={<Change now={total.issued} before={before.issued} />}
            />
            <Figure
              figure="vouchersRedeemed"
              value={number(total.redeemed)}
              note={<Change now={total.redeemed} before={before.redeemed} />}
            />
            <Figure
              figure="vouchersExpired"
              value={number(total.expired)}
              note={<Change now={total.expired} before={before.expired} />}
            />
            <Figure
              figure="discount"
              value={money(total.discount)}
              note={<Change now={total.discount} before={before.discount} />}
            />
          </Figures>
          {campaigns.length === 0 ? (
            <EmptyState icon={Ticket} title={t('noVouchersTitle')}>
              {t('noVouchersText')}
            </EmptyState>
          ) : (
            <Section title={t('byCampaign')} description={t('voidsHint')}>
              <ChartAndTable
                chart={
                  <CampaignChart
                    label={t('chartLabel', { title: t('byCampaign') })}
                    rows={[...campaigns].sort((a, b) => b.issued - a.issued).slice(0, maxInChart)}
                    series={series}
                    format={number}
                  />
                }
                table={
                  <FigureTable
                    cutTo="rows"
                    caption={t('byCampaign')}
                    rows={campaigns}
                    rowKey={({ campaignId }) => campaignId}
                    columns={[
                      { id: 'name', header: t('campaign'), cell: ({ name }) => name },
                      {
                        id: 'issued',
                        header: <FigureName figure="vouchersIssued" />,
                        cell: ({ issued }) => number(issued),
                      },
                      {
                        id: 'redeemed',
                        header: <FigureName figure="vouchersRedeemed" />,
                        cell: ({ redeemed, everIssued }) => (
                          <>
                            {number(redeemed)}
                            <span className="block text-xs text-muted">
                              {t('everIssued', { count: number(everIssued) })}
                            </span>
                          </>
                        ),
                      },
                      {
                        id: 'expired',
                        header: <FigureName figure="vouchersExpired" />,
                        cell: ({ expired }) => number(expired),
                      },
                      {
                        id: 'discount',
                        header: <FigureName figure="discount" />,
                        cell: ({ discount }) => money(discount),
                      },
                    ]}
                  />
                }
              />
            </Section>
          )}
          {campaigns.length === 0 ? null : <VoucherEffect {...period} />}
        </>
      )}
    </Loaded>
  );
}
