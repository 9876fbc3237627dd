'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { OptionGroupInput } from '@/server/domain/menu';
import { optionGroupInput } from '@/server/domain/menu/schemas';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { NumberField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Section } from '../../ui/section';
import { OptionsField } from './options-field';
import { emptyNames, TranslationFields, useMenuLanguages } from './translation-fields';

export type OptionGroupAnswer = inferRouterOutputs<StaffRouter>['menu']['optionGroup'];

interface OptionGroupFormProps {
  /** Null for a new one. */
  group: OptionGroupAnswer | null;
  savedMessage: string;
  onSave: (group: OptionGroupInput) => Promise<unknown>;
  onCancel: () => void;
}

export function OptionGroupForm({ group, savedMessage, onSave, onCancel }: OptionGroupFormProps) {
  const t = useTranslations('menu');
  const untranslated = emptyNames(useMenuLanguages());
  const newOption = { name: '', price: 0, plu: null, allergens: [], translations: untranslated };
  const form = useZodForm(optionGroupInput, {
    name: group?.name ?? '',
    minimum: group?.minimum ?? 0,
    maximum: group?.maximum ?? 1,
    translations: { ...untranslated, ...group?.translations },
    options: group?.options.map((option) => ({
      ...option,
      translations: { ...untranslated, ...option.translations },
    })) ?? [newOption],
  });
  return (
    <Form form={form} savedMessage={savedMessage} onSave={onSave} onCancel={onCancel}>
      <Section title={t('details')}>
        <div className="grid gap-5 sm:grid-cols-2">
          <div className="sm:col-span-2">
            <TextField name="name" label={t('name')} hint={t('optionGroupNameHint')} autoFocus={group === null} />
          </div>
          <NumberField name="minimum" label={t('minimum')} hint={t('minimumHint')} />
          <NumberField name="maximum" label={t('maximum')} hint={t('maximumHint')} />
          <div className="sm:col-span-2">
            <TranslationFields />
          </div>
        </div>
      </Section>
      <OptionsField newOption={newOption} />
    </Form>
  );
}
