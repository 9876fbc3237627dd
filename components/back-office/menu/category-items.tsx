'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Pencil, Plus, UtensilsCrossed } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Category } from '@/server/domain/menu';
import { Button, ButtonLink } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { Section } from '../../ui/section';
import { SortableList } from '../../ui/sortable-list';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { CategoryDialog } from './category-dialog';
import { type ItemAnswer, ItemRow } from './item-row';

/** The items of a category, in order. */
export function CategoryItems({ category, onBack }: { category: Category; onBack: () => void }) {
  const t = useTranslations('menu');
  const canEdit = useIsGeneralManager();
  const [isEditing, setEditing] = useState(false);
  const newItem = `/menu/items/new?category=${category.categoryId}`;
  return (
    <>
      <Button variant="quiet" size="small" className="mb-3 -ml-3.5 lg:hidden" onClick={onBack}>
        <ArrowLeft className="size-4" aria-hidden="true" />
        {t('allCategories')}
      </Button>
      <Section
        title={category.name}
        actions={
          canEdit ? (
            <>
              <Button variant="secondary" size="small" onClick={() => setEditing(true)}>
                <Pencil className="size-4" aria-hidden="true" />
                {t('editCategory')}
              </Button>
              <ButtonLink size="small" href={newItem}>
                <Plus className="size-4" aria-hidden="true" />
                {t('addItem')}
              </ButtonLink>
            </>
          ) : null
        }
      >
        <Items category={category} />
      </Section>
      {isEditing ? <CategoryDialog category={category} onClose={() => setEditing(false)} /> : null}
    </>
  );
}

function Items({ category: { categoryId, name } }: { category: Category }) {
  const t = useTranslations();
  const trpc = useTRPC();
  const canEdit = useIsGeneralManager();
  const { data: items, error, refetch } = useQuery(trpc.menu.categoryItems.queryOptions({ categoryId }));
  const soldOut = useSoldOutPlus();
  const order = useOrderItems(categoryId, items ?? []);
  if (!items) return <Waiting error={error} refetch={refetch} height="h-64" />;
  if (items.length === 0) {
    return (
      <EmptyState icon={UtensilsCrossed} title={t('menu.emptyCategoryTitle')}>
        {t('menu.emptyCategoryText')}
      </EmptyState>
    );
  }
  return (
    <SortableList
      label={name}
      items={items}
      keyOf={({ itemId }) => itemId}
      nameOf={(item) => item.name}
      onOrder={canEdit ? order : undefined}
      itemClassName="border-t border-line bg-surface first:border-t-0"
    >
      {(item) => <ItemRow item={item} isSoldOut={soldOut.has(item.plu)} canEdit={canEdit} />}
    </SortableList>
  );
}

function useSoldOutPlus(): Set<string> {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.stockOuts.list.queryOptions({}));
  return new Set(data?.items.map(({ plu }) => plu));
}

/** Reorders items on the screen at once, and reverts if the server rejects it. */
function useOrderItems(categoryId: string, items: ItemAnswer[]) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { settle } = useChange('menu');
  const { mutate } = useMutation(trpc.menu.orderItems.mutationOptions(settle));
  return (itemIds: string[]) => {
    const ordered = items.toSorted((a, b) => itemIds.indexOf(a.itemId) - itemIds.indexOf(b.itemId));
    queryClient.setQueryData(trpc.menu.categoryItems.queryKey({ categoryId }), ordered);
    mutate({ categoryId, itemIds });
  };
}
