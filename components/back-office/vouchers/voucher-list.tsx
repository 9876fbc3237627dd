'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Ticket } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral } from 'nuqs';
import { useState } from 'react';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { Link } from '../../ui/link';
import { SelectBox } from '../../ui/select';
import { DataList, ExportLink } from '../lists/data-list';
import { useListState } from '../lists/list-state';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { CancelVoucher } from './cancel-voucher';
import type { ListedVoucher } from './types';

const states = ['unused', 'redeemed', 'cancelled'] as const;

/** A campaign's vouchers, with their customers and states. */
export function VoucherList({ campaignId }: { campaignId: string }) {
  const t = useTranslations('vouchers');
  const { filters, page, setFilters, clearFilters, setPage } = useListState({ state: parseAsStringLiteral(states) });
  const [cancelled, setCancelled] = useState<ListedVoucher | null>(null);
  const query = useQuery({
    ...useTRPC().vouchers.list.queryOptions({ campaignId, state: filters.state ?? undefined, limit: 20, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label={t('vouchersOfCampaign')}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold tracking-tight">{t('vouchersOfCampaign')}</h2>
        <div className="flex flex-wrap items-center gap-3">
          <SelectBox
            aria-label={t('state')}
            value={filters.state ?? ''}
            onChange={(event) => setFilters({ state: states.find((one) => one === event.target.value) ?? null })}
            options={[{ value: '', label: t('anyState') }, ...states.map((value) => ({ value, label: t(value) }))]}
          />
          <ExportLink list="vouchers" filters={{ campaignId, state: filters.state }} />
        </div>
      </div>
      <DataList
        caption={t('vouchersOfCampaign')}
        query={query}
        columns={useColumns(setCancelled)}
        rowKey={({ voucherId }) => voucherId}
        empty={
          <EmptyState icon={Ticket} title={t('noVouchersTitle')}>
            {t('noVouchersText')}
          </EmptyState>
        }
        isFiltered={filters.state !== null}
        onClearFilters={clearFilters}
        onPage={setPage}
      />
      {cancelled ? <CancelVoucher voucher={cancelled} onClose={() => setCancelled(null)} /> : null}
    </section>
  );
}

const tones = { unused: 'good', redeemed: 'neutral', expired: 'caution', cancelled: 'neutral' } as const;

function useColumns(onCancel: (voucher: ListedVoucher) => void): Column<ListedVoucher>[] {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const format = useFormat();
  return [
    { id: 'code', header: t('code'), cell: ({ voucherCode }) => <code className="font-mono">{voucherCode}</code> },
    {
      id: 'customer',
      narrow: 'bare',
      header: t('customer'),
      cell: ({ customerId, customerName }) => (
        <Link
          href={`/customers/${customerId}`}
          className="rounded underline decoration-edge underline-offset-4 hover:decoration-ink"
        >
          {customerName || tCommon('unknown')}
        </Link>
      ),
    },
    {
      id: 'state',
      narrow: 'aside',
      header: tCommon('status'),
      cell: ({ state, cancelReason }) => (
        <>
          <Badge tone={tones[state]}>{t(state)}</Badge>
          {cancelReason ? <span className="mt-1 block text-muted">{cancelReason}</span> : null}
        </>
      ),
    },
    { id: 'issued', header: t('issuedOn'), wideOnly: true, cell: ({ issuedAt }) => format.date(issuedAt) },
    {
      id: 'expires',
      header: t('goodUntil'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('noEnd') : format.businessDate(expiresAt)),
    },
    {
      id: 'discount',
      header: t('discount'),
      align: 'end',
      cell: ({ discount }) => (discount === null ? <span data-quiet>–</span> : format.money(discount)),
    },
    {
      id: 'actions',
      narrow: 'bare',
      header: t('actions'),
      align: 'end',
      cell: (voucher) =>
        voucher.state === 'unused' ? (
          <Button variant="quiet" size="small" className="max-sm:-ml-3.5" onClick={() => onCancel(voucher)}>
            {t('cancelVoucher')}
            <span className="sr-only"> {voucher.voucherCode}</span>
          </Button>
        ) : null,
    },
  ];
}
