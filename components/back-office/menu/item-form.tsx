'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import type { ItemInput } from '@/server/domain/menu';
import { itemInput } from '@/server/domain/menu/schemas';
import { SelectField, TextAreaField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Section } from '../../ui/section';
import { MoneyField } from '../fields/money-field';
import { useTRPC } from '../office/trpc';
import { AllergensField, DietsField } from './allergens-field';
import { AvailabilityField } from './availability-field';
import { ItemOptionsField } from './item-options-field';
import type { ItemAnswer } from './item-row';
import { PhotoField } from './photo-field';
import { emptyTexts, TranslationFields, useMenuLanguages } from './translation-fields';

interface ItemFormProps {
  /** Null for a new one. */
  item: ItemAnswer | null;
  categoryId: string | null;
  savedMessage: string;
  onSave: (item: ItemInput) => Promise<unknown>;
  onCancel: () => void;
}

export function ItemForm({ item, categoryId, savedMessage, onSave, onCancel }: ItemFormProps) {
  const t = useTranslations('menu');
  const trpc = useTRPC();
  const { data: categories = [] } = useQuery(trpc.menu.categories.queryOptions());
  const form = useZodForm(itemInput, {
    categoryId: categoryId ?? '',
    plu: item?.plu ?? '',
    name: item?.name ?? '',
    description: item?.description ?? '',
    price: item?.price,
    allergens: item?.allergens ?? [],
    diets: item?.diets ?? [],
    photoId: item?.photoId ?? null,
    allStores: item?.allStores ?? true,
    storeIds: item?.storeIds ?? [],
    optionGroupIds: item?.optionGroupIds ?? [],
    translations: { ...emptyTexts(useMenuLanguages()), ...item?.translations },
  });
  const choices = categories.map(({ categoryId: value, name }) => ({ value, label: name }));
  // The category of an archived item may be archived too.
  if (item && !choices.some(({ value }) => value === item.categoryId)) {
    choices.unshift({ value: item.categoryId, label: item.categoryName });
  }
  const upload = useRef<Promise<unknown>>(undefined);

  /** Waits for the photo's upload before saving. */
  async function save(input: ItemInput): Promise<void> {
    await upload.current;
    await onSave({ ...input, photoId: form.getValues('photoId') ?? null });
  }
  return (
    <Form form={form} savedMessage={savedMessage} onSave={save} onCancel={onCancel}>
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Section title={t('details')}>
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField name="name" label={t('name')} autoFocus={item === null} />
              <SelectField
                name="categoryId"
                label={t('category')}
                options={[{ value: '', label: t('choose') }, ...choices]}
              />
              <MoneyField name="price" label={t('price')} />
              <TextField name="plu" label={t('plu')} hint={t('pluHint')} autoComplete="off" />
              <div className="sm:col-span-2">
                <TextAreaField name="description" label={t('itemDescription')} hint={t('descriptionHint')} />
              </div>
              <div className="sm:col-span-2">
                <TranslationFields hasDescription />
              </div>
            </div>
          </Section>
          <ItemOptionsField />
          <AllergensField />
          <DietsField />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <PhotoField upload={upload} />
          <AvailabilityField />
        </div>
      </div>
    </Form>
  );
}
