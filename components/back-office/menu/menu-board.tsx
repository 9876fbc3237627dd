'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import type { Category } from '@/server/domain/menu';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { SortableList } from '../../ui/sortable-list';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import { CategoryDialog } from './category-dialog';
import { CategoryItems } from './category-items';
import { TranslationBadge, useLacksTranslation } from './missing-translations';

/** The categories, next to the items of the selected one. On a phone, one screen after the other. */
export function MenuBoard({ categories }: { categories: Category[] }) {
  const [chosen, choose] = useQueryState('category', parseAsString.withOptions({ history: 'push' }));
  const named = categories.find(({ categoryId }) => categoryId === chosen);
  const shown = named ?? categories[0];
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <div className={named ? 'max-lg:hidden' : undefined}>
        <CategoryList categories={categories} shown={shown} onChoose={(id) => void choose(id)} />
      </div>
      {shown ? (
        <div className={classNames('min-w-0', !named && 'max-lg:hidden')}>
          <CategoryItems key={shown.categoryId} category={shown} onBack={() => void choose(null)} />
        </div>
      ) : null}
    </div>
  );
}

interface CategoryListProps {
  categories: Category[];
  shown: Category | undefined;
  onChoose: (categoryId: string) => void;
}

function CategoryList({ categories, shown, onChoose }: CategoryListProps) {
  const t = useTranslations('menu');
  const { number } = useFormat();
  const canEdit = useIsGeneralManager();
  const order = useOrderCategories(categories);
  const lacksTranslation = useLacksTranslation();
  const [isAdding, setAdding] = useState(false);
  return (
    <section aria-label={t('categories')} className="rounded-2xl border border-line bg-surface p-2">
      <SortableList
        label={t('categories')}
        items={categories}
        keyOf={({ categoryId }) => categoryId}
        nameOf={({ name }) => name}
        onOrder={canEdit ? order : undefined}
        itemClassName="rounded-lg bg-surface"
      >
        {({ categoryId, name, translations, itemCount }) => (
          <button
            type="button"
            aria-current={categoryId === shown?.categoryId || undefined}
            onClick={() => onChoose(categoryId)}
            className="flex min-h-11 min-w-0 grow flex-wrap items-center gap-x-3 rounded-lg px-3 text-left text-[0.9375rem] transition-colors hover:bg-tint lg:aria-[current]:bg-tint lg:aria-[current]:font-medium"
          >
            <span className="min-w-0 flex-1 py-2 wrap-anywhere">{name}</span>
            <span className="text-sm text-muted tabular-nums">
              {number(itemCount)}
              <span className="sr-only"> {t('itemsWord', { count: itemCount })}</span>
            </span>
            {lacksTranslation({ translations }) ? (
              <span className="basis-full pb-2">
                <TranslationBadge />
              </span>
            ) : null}
          </button>
        )}
      </SortableList>
      {canEdit ? (
        <Button variant="quiet" size="small" className="mt-1 w-full" onClick={() => setAdding(true)}>
          <Plus className="size-4" aria-hidden="true" />
          {t('addCategory')}
        </Button>
      ) : null}
      {isAdding ? <CategoryDialog category={null} onSaved={onChoose} onClose={() => setAdding(false)} /> : null}
    </section>
  );
}

/** Reorders categories on the screen at once, and reverts if the server rejects it. */
function useOrderCategories(categories: Category[]) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { settle } = useChange('menu');
  const { mutate } = useMutation(trpc.menu.orderCategories.mutationOptions(settle));
  return (categoryIds: string[]) => {
    const ordered = categories.toSorted(
      (a, b) => categoryIds.indexOf(a.categoryId) - categoryIds.indexOf(b.categoryId),
    );
    queryClient.setQueryData(trpc.menu.categories.queryKey(), ordered);
    mutate({ categoryIds });
  };
}
