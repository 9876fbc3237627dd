'use client';

import { useQuery } from '@tanstack/react-query';
import { BookOpenText, Plus, Upload } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { useListState } from '../lists/list-state';
import { SearchBox } from '../lists/search-box';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { CategoryDialog } from './category-dialog';
import { ItemResults } from './item-results';
import { MenuBoard } from './menu-board';
import { MissingTranslations, useLacksTranslation } from './missing-translations';

const statuses = ['listed', 'untranslated', 'archived'] as const;
const filters = {
  search: parseAsString.withDefault(''),
  status: parseAsStringLiteral(statuses).withDefault('listed'),
};

/** The menu by category. Search results and the archive list items of all categories. */
export function MenuScreen() {
  const t = useTranslations('menu');
  const canEdit = useIsGeneralManager();
  const list = useListState(filters);
  const { search, status } = list.filters;
  const isBoard = search === '' && status === 'listed';
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <ButtonLink href="/menu/options" variant="secondary" size="small">
              {t('optionGroups')}
            </ButtonLink>
            <ExportLink list="menu" filters={{ search, status }} />
            {canEdit ? (
              <ButtonLink href="/menu/import" variant="secondary" size="small">
                <Upload className="size-4" aria-hidden="true" />
                {t('import')}
              </ButtonLink>
            ) : null}
          </>
        }
      />
      <FilterBar>
        <SearchBox
          label={t('searchItems')}
          value={search}
          onSearch={(text) => list.setFilters({ search: text || null })}
        />
        <SelectBox
          aria-label={t('show')}
          value={status}
          onChange={({ target }) => list.setFilters({ status: target.value as (typeof statuses)[number] })}
          options={statuses.map((value) => ({ value, label: t(value) }))}
          className="w-auto"
        />
      </FilterBar>
      {isBoard ? <MissingNames onShow={() => list.setFilters({ status: 'untranslated' })} /> : null}
      {isBoard ? <Board /> : <ItemResults list={list} />}
    </>
  );
}

/** How many items and categories have no name in one of the diners' languages. */
function MissingNames({ onShow }: { onShow: () => void }) {
  const t = useTranslations('menu');
  const { data: categories = [] } = useQuery(useTRPC().menu.categories.queryOptions());
  const items = categories.reduce((sum, { untranslatedCount }) => sum + untranslatedCount, 0);
  const own = categories.filter(useLacksTranslation()).length;
  if (items + own === 0) return null;
  return (
    <MissingTranslations>
      {own > 0 ? <p>{t('untranslatedCategories', { count: own })}</p> : null}
      {items > 0 ? (
        <>
          <p>{t('untranslatedCount', { count: items })}</p>
          <Button variant="secondary" size="small" onClick={onShow}>
            {t('showUntranslated')}
          </Button>
        </>
      ) : null}
    </MissingTranslations>
  );
}

function Board() {
  const t = useTranslations();
  const trpc = useTRPC();
  const canEdit = useIsGeneralManager();
  const [isAdding, setAdding] = useState(false);
  const { data: categories, error, refetch } = useQuery(trpc.menu.categories.queryOptions());
  if (!categories) return <Waiting error={error} refetch={refetch} />;
  if (categories.length > 0) return <MenuBoard categories={categories} />;
  return (
    <>
      <EmptyState
        icon={BookOpenText}
        title={t('menu.emptyTitle')}
        action={
          canEdit ? (
            <Button onClick={() => setAdding(true)}>
              <Plus className="size-4" aria-hidden="true" />
              {t('menu.addCategory')}
            </Button>
          ) : null
        }
      >
        {t('menu.emptyText')}
      </EmptyState>
      {isAdding ? <CategoryDialog category={null} onClose={() => setAdding(false)} /> : null}
    </>
  );
}
