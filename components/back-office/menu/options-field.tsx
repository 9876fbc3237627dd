'use client';

import { Plus, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useFieldArray, useFormContext } from 'react-hook-form';
import type { z } from 'zod';
import type { optionGroupInput } from '@/server/domain/menu';
import { TextField } from '../../form/fields';
import { Button } from '../../ui/button';
import { iconButtonLook } from '../../ui/icon-button';
import { Section } from '../../ui/section';
import { SortableList } from '../../ui/sortable-list';
import { MoneyField } from '../fields/money-field';
import { OptionAllergensField } from './allergens-field';
import { TranslationFields } from './translation-fields';

type Values = z.input<typeof optionGroupInput>;

/** The options of a modifier group, in order. */
export function OptionsField({ newOption }: { newOption: Values['options'][number] }) {
  const t = useTranslations('menu');
  const { control, getValues, formState } = useFormContext<Values>();
  const { fields, append, move, remove } = useFieldArray({ control, name: 'options' });
  const nameOf = (index: number) => getValues(`options.${index}.name`) || t('optionNumber', { number: index + 1 });
  const problem = formState.errors.options?.root?.message ?? formState.errors.options?.message;

  return (
    <Section title={t('options')} description={t('optionsHint')}>
      <SortableList
        label={t('options')}
        items={fields.map(({ id }, index) => ({ id, index }))}
        keyOf={({ id }) => id}
        nameOf={({ index }) => nameOf(index)}
        onOrder={(_, { from, to }) => move(from, to)}
        className="flex flex-col gap-3"
        itemClassName="items-start rounded-xl border border-line bg-surface py-3 pr-2 pl-1"
      >
        {({ index }) => (
          <>
            <div className="grid min-w-0 grow gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1fr)]">
              <TextField name={`options.${index}.name`} label={t('name')} />
              <MoneyField name={`options.${index}.price`} label={t('extraPrice')} />
              <TextField name={`options.${index}.plu`} label={t('plu')} optional autoComplete="off" />
              <div className="flex flex-col gap-3 sm:col-span-3">
                <TranslationFields path={`options.${index}.translations`} />
                <OptionAllergensField name={`options.${index}.allergens`} />
              </div>
            </div>
            <button
              type="button"
              aria-label={t('removeOption', { name: nameOf(index) })}
              className={iconButtonLook}
              onClick={() => remove(index)}
            >
              <Trash2 className="size-4" aria-hidden="true" />
            </button>
          </>
        )}
      </SortableList>
      {problem ? <p className="mt-2 text-sm text-danger">{problem}</p> : null}
      <Button variant="secondary" size="small" className="mt-4" onClick={() => append(newOption)}>
        <Plus className="size-4" aria-hidden="true" />
        {t('addOption')}
      </Button>
    </Section>
  );
}
