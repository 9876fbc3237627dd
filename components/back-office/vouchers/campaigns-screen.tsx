'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Languages, Plus, Ticket } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { Button, ButtonLink } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { DataList, ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { useListState } from '../lists/list-state';
import { SearchBox } from '../lists/search-box';
import { MissingTranslations } from '../menu/missing-translations';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { CampaignBadge } from './campaign-badge';
import type { Campaign } from './types';
import { useTermsText } from './use-terms-text';

const statuses = ['current', 'untranslated', 'archived'] as const;

export function CampaignsScreen() {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const { filters, page, setFilters, clearFilters, setPage } = useListState({
    search: parseAsString.withDefault(''),
    status: parseAsStringLiteral(statuses).withDefault('current'),
  });
  const query = useQuery({
    ...useTRPC().campaigns.list.queryOptions({ ...filters, ...page }),
    placeholderData: keepPreviousData,
  });
  const add = useIsGeneralManager() ? (
    <ButtonLink href="/vouchers/new">
      <Plus className="size-4" aria-hidden="true" />
      {t('add')}
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <ExportLink list="campaigns" filters={filters} />
            {add}
          </>
        }
      />
      <FilterBar>
        <SearchBox
          label={t('search')}
          value={filters.search}
          onSearch={(search) => setFilters({ search: search || null })}
        />
        <SelectBox
          aria-label={tCommon('status')}
          value={filters.status}
          onChange={(event) => setFilters({ status: statuses.find((one) => one === event.target.value) ?? null })}
          options={statuses.map((value) => ({ value, label: t(value) }))}
        />
      </FilterBar>
      {filters.status === 'current' ? <Untranslated onShow={() => setFilters({ status: 'untranslated' })} /> : null}
      <DataList
        caption={t('title')}
        query={query}
        columns={useColumns()}
        rowKey={({ campaignId }) => campaignId}
        rowHref={({ campaignId }) => `/vouchers/${campaignId}`}
        empty={
          filters.status === 'untranslated' ? (
            <EmptyState icon={Languages} title={t('emptyUntranslated')} />
          ) : (
            <EmptyState icon={Ticket} title={t('emptyTitle')} action={add}>
              {t('emptyText')}
            </EmptyState>
          )
        }
        isFiltered={filters.search !== '' || filters.status === 'archived'}
        onClearFilters={clearFilters}
        onPage={setPage}
      />
    </>
  );
}

function Untranslated({ onShow }: { onShow: () => void }) {
  const t = useTranslations();
  const { data: count = 0 } = useQuery(useTRPC().campaigns.countUntranslated.queryOptions());
  if (count === 0) return null;
  return (
    <MissingTranslations>
      <p>{t('vouchers.untranslatedCount', { count })}</p>
      <Button variant="secondary" size="small" onClick={onShow}>
        {t('menu.showUntranslated')}
      </Button>
    </MissingTranslations>
  );
}

function useColumns(): Column<Campaign>[] {
  const t = useTranslations('vouchers');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const termsText = useTermsText();
  const share = ({ issued, redeemed }: Campaign['funnel']) =>
    issued === 0 ? '' : ` (${format.percent(Math.round((redeemed / issued) * 100) * 100)})`;
  return [
    {
      id: 'name',
      header: t('campaign'),
      cell: (campaign) => (
        <>
          <span className="block">{campaign.name}</span>
          <span className="mt-0.5 block text-sm font-normal text-muted">{termsText(campaign)}</span>
        </>
      ),
    },
    { id: 'trigger', narrow: 'bare', header: t('trigger'), cell: ({ trigger }) => t(trigger) },
    {
      id: 'status',
      narrow: 'aside',
      header: tCommon('status'),
      cell: ({ status }) => <CampaignBadge status={status} />,
    },
    { id: 'issued', header: t('issued'), align: 'end', cell: ({ funnel }) => format.number(funnel.issued) },
    {
      id: 'redeemed',
      header: t('redeemed'),
      align: 'end',
      cell: ({ funnel }) => `${format.number(funnel.redeemed)}${share(funnel)}`,
    },
    { id: 'discount', header: t('discountGiven'), align: 'end', cell: ({ funnel }) => format.money(funnel.discount) },
  ];
}
