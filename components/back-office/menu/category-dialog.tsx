'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Category } from '@/server/domain/menu';
import { categoryInput } from '@/server/domain/menu/schemas';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { Opened } from '../../form/opened';
import { useZodForm } from '../../form/use-zod-form';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import { emptyNames, TranslationFields, useMenuLanguages } from './translation-fields';

interface CategoryDialogProps {
  /** Null for a new one. */
  category: Category | null;
  onSaved?: (categoryId: string) => void;
  onClose: () => void;
}

/** Creates, edits or archives a category. */
export function CategoryDialog({ category, ...props }: CategoryDialogProps) {
  const t = useTranslations('menu');
  const categories = useQuery(useTRPC().menu.categories.queryOptions());
  async function refetch() {
    const { data } = await categories.refetch();
    return { data: data?.find(({ categoryId }) => categoryId === category?.categoryId) };
  }
  return (
    <Dialog open onClose={props.onClose} title={category ? t('editCategory') : t('addCategory')}>
      {category ? (
        <Opened present={category} refetch={refetch}>
          {(opened) => <CategoryForm category={opened} {...props} />}
        </Opened>
      ) : (
        <CategoryForm category={null} {...props} />
      )}
    </Dialog>
  );
}

function CategoryForm({ category, onSaved, onClose }: CategoryDialogProps) {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const { onSettled } = useChange('menu').settle;
  const languages = useMenuLanguages();
  const create = useMutation(trpc.menu.createCategory.mutationOptions({ onSettled }));
  const update = useMutation(trpc.menu.updateCategory.mutationOptions({ onSettled }));
  const { data: categories = [] } = useQuery(trpc.menu.categories.queryOptions());
  const stations = [...new Set(categories.flatMap(({ station }) => station || []))];
  const form = useZodForm(categoryInput, {
    name: category?.name ?? '',
    station: category?.station ?? '',
    translations: { ...emptyNames(languages), ...category?.translations },
  });
  return (
    <>
      <Form
        form={form}
        savedMessage={category ? t('categorySaved') : t('categoryAdded')}
        onCancel={onClose}
        onSave={async (values) => {
          if (category) {
            const { categoryId, revision } = category;
            await update.mutateAsync({ ...values, categoryId, revision });
          } else onSaved?.((await create.mutateAsync(values)).categoryId);
          onClose();
        }}
      >
        <TextField name="name" label={t('categoryName')} autoFocus />
        <TranslationFields />
        <TextField name="station" label={t('station')} hint={t('stationHint')} list="stations" autoComplete="off" />
        <datalist id="stations">
          {stations.map((station) => (
            <option key={station} value={station} />
          ))}
        </datalist>
      </Form>
      {category ? <ArchiveCategory category={category} onArchived={onClose} /> : null}
    </>
  );
}

function ArchiveCategory({ category, onArchived }: { category: Category; onArchived: () => void }) {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const [isAsking, setAsking] = useState(false);
  const { toast, settle } = useChange('menu');
  const { categoryId, name, itemCount } = category;
  const archive = useMutation(
    trpc.menu.archiveCategory.mutationOptions({
      ...settle,
      onSuccess: () => {
        toast.done(t('categoryArchived', { name }));
        onArchived();
      },
    }),
  );
  return (
    <div className="mt-6 border-t border-line pt-5">
      <Button variant="danger" size="small" busy={archive.isPending} onClick={() => setAsking(true)}>
        {t('archiveCategory')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('archiveCategoryTitle', { name })}
        confirmLabel={t('archiveCategory')}
        isDangerous
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          archive.mutate({ categoryId });
        }}
      >
        {t('archiveCategoryText', { count: itemCount })}
      </ConfirmDialog>
    </div>
  );
}
