'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { parseAsString, useQueryState } from 'nuqs';
import { Opened } from '../../form/opened';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { ManagersOnly } from '../office/managers-only';
import { neverFromMemory, useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { ItemForm } from './item-form';
import { useArchive } from './item-results';
import type { ItemAnswer } from './item-row';

const boardOf = (categoryId: string | null) => (categoryId === null ? '/menu' : `/menu?category=${categoryId}`);

/** Creates an item in the category given in the URL. */
export function NewItemScreen() {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const router = useRouter();
  const { onSettled } = useChange('menu').settle;
  const [categoryId] = useQueryState('category', parseAsString);
  const create = useMutation(trpc.menu.createItem.mutationOptions({ onSettled }));
  return (
    <ManagersOnly>
      <PageHeader title={t('newItem')} back={{ href: boardOf(categoryId), label: t('title') }} />
      <ItemForm
        item={null}
        categoryId={categoryId}
        savedMessage={t('itemAdded')}
        onSave={async (values) => {
          await create.mutateAsync(values);
          router.push(boardOf(values.categoryId));
        }}
        onCancel={() => router.push(boardOf(categoryId))}
      />
    </ManagersOnly>
  );
}

export function ItemScreen({ itemId }: { itemId: string }) {
  const t = useTranslations();
  const trpc = useTRPC();
  const { data: item, error, refetch } = useQuery(trpc.menu.item.queryOptions({ itemId }, neverFromMemory));
  if (!item) {
    return (
      <ManagersOnly>
        <PageHeader title={t('menu.item')} back={{ href: boardOf(null), label: t('menu.title') }} />
        <Waiting error={error} refetch={refetch} />
      </ManagersOnly>
    );
  }
  return (
    <ManagersOnly>
      <PageHeader
        title={item.name}
        back={{ href: boardOf(item.archivedAt === null ? item.categoryId : null), label: t('menu.title') }}
        badge={item.archivedAt === null ? null : <Badge>{t('menu.archivedBadge')}</Badge>}
        actions={<ArchiveButton item={item} />}
      />
      <Opened present={item} refetch={refetch}>
        {(opened, onSaved) => <ExistingItemForm item={opened} onSaved={onSaved} />}
      </Opened>
    </ManagersOnly>
  );
}

interface ExistingItemFormProps {
  item: ItemAnswer;
  onSaved: (saved: { revision: string }) => void;
}

function ExistingItemForm({ item, onSaved }: ExistingItemFormProps) {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const router = useRouter();
  const { onSettled } = useChange('menu').settle;
  const update = useMutation(trpc.menu.updateItem.mutationOptions({ onSettled }));
  return (
    <ItemForm
      item={item}
      categoryId={item.categoryId}
      savedMessage={t('itemSaved')}
      onSave={async (values) => {
        onSaved(await update.mutateAsync({ ...values, itemId: item.itemId, revision: item.revision }));
      }}
      onCancel={() => router.push(boardOf(item.categoryId))}
    />
  );
}

function ArchiveButton({ item }: { item: ItemAnswer }) {
  const t = useTranslations('common');
  const { archive, restore, isPending } = useArchive();
  const isArchived = item.archivedAt !== null;
  const Icon = isArchived ? ArchiveRestore : Archive;
  return (
    <Button
      variant="secondary"
      size="small"
      busy={isPending}
      onClick={() => (isArchived ? restore : archive)([item.itemId])}
    >
      <Icon className="size-4" aria-hidden="true" />
      {t(isArchived ? 'restore' : 'archive')}
    </Button>
  );
}
