'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Ticket } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { storedValue } from '@/server/domain/kernel/voucher-units';
import { Badge, type Tone } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { SelectBox } from '../../ui/select';
import { DataList } from '../lists/data-list';
import { useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useTermsText } from '../vouchers/use-terms-text';
import type { HeldVoucher } from './types';
import { usePages } from './use-pages';

const tones: Record<HeldVoucher['state'], Tone> = {
  usable: 'good',
  expired: 'caution',
  redeemed: 'neutral',
  cancelled: 'danger',
};

/** The customer's active or past vouchers. */
export function CustomerVouchers({ customerId }: { customerId: string }) {
  const t = useTranslations('customers');
  const [isPast, setPast] = useState(false);
  const { page, setPage } = usePages();
  const isManager = useIsRole('owner', 'manager');
  const query = useQuery({
    ...useTRPC().customers.vouchers.queryOptions({ customerId, isPast, ...page }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="mb-3 w-fit">
        <SelectBox
          aria-label={t('show')}
          value={isPast ? 'past' : 'toUse'}
          onChange={({ target }) => {
            setPast(target.value === 'past');
            setPage({});
          }}
          options={(['toUse', 'past'] as const).map((value) => ({ value, label: t(value) }))}
        />
      </div>
      <DataList
        caption={t('vouchers')}
        query={query}
        columns={useColumns()}
        rowKey={({ voucherId }) => voucherId}
        rowHref={isManager ? ({ campaignId }) => `/vouchers/${campaignId}` : undefined}
        empty={
          <EmptyState icon={Ticket} title={t('noVouchersTitle')}>
            {t('noVouchersText')}
          </EmptyState>
        }
        isFiltered={false}
        onPage={setPage}
      />
    </>
  );
}

function useColumns(): Column<HeldVoucher>[] {
  const t = useTranslations('customers');
  const termsText = useTermsText();
  const { businessDate } = useFormat();
  return [
    {
      id: 'voucher',
      header: t('voucher'),
      cell: ({ name, unit, value, maxUnits }) => (
        <>
          {name}
          <span className="block text-sm font-normal text-muted">
            {termsText({ unit, value: storedValue({ unit, value }), maxUnits })}
          </span>
        </>
      ),
    },
    {
      id: 'code',
      narrow: 'bare',
      header: t('code'),
      cell: ({ voucherCode }) => <span className="font-mono">{voucherCode}</span>,
    },
    {
      id: 'state',
      narrow: 'aside',
      header: t('state'),
      cell: ({ state }) => <Badge tone={tones[state]}>{t(`voucherState.${state}`)}</Badge>,
    },
    {
      id: 'goodUntil',
      header: t('goodUntil'),
      cell: ({ expiresAt }) => (expiresAt ? businessDate(expiresAt) : t('noEnd')),
    },
  ];
}
