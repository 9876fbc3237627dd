'use client';

import { ChevronDown } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { allergensOf } from '@/server/domain/kernel/allergens';
import { type Allergen, diets } from '@/server/domain/kernel/context';
import { Section } from '../../ui/section';
import { useOffice } from '../office/office';

/** The allergens in an item. */
export function AllergensField() {
  const t = useTranslations('menu');
  return (
    <Section title={t('allergens')} description={t('allergensHint')}>
      <AllergenChoices name="allergens" />
    </Section>
  );
}

/** The allergens that a modifier adds, collapsed until opened. */
export function OptionAllergensField({ name }: { name: string }) {
  const t = useTranslations('menu');
  const chosen: Allergen[] = useController({ name }).field.value;
  return (
    <details className="group rounded-xl border border-line">
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-xl px-4 py-2 text-sm font-medium hover:bg-tint">
        <span>
          {t('optionAllergens')}
          {chosen.length > 0 ? (
            <span className="block font-normal text-muted">
              {chosen.map((allergen) => t(`allergen.${allergen}`)).join(', ')}
            </span>
          ) : null}
        </span>
        <ChevronDown
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180"
          aria-hidden="true"
        />
      </summary>
      <div className="border-t border-line p-4">
        <AllergenChoices name={name} />
      </div>
    </details>
  );
}

/** The diets that an item is suitable for. */
export function DietsField() {
  const t = useTranslations('menu');
  return (
    <Section title={t('diets')} description={t('dietsHint')}>
      <Choices name="diets" offered={diets} labelOf={(diet) => t(`diet.${diet}`)} />
    </Section>
  );
}

/** Offers the allergens of the merchant's country, and any others that were stored before. */
function AllergenChoices({ name }: { name: string }) {
  const t = useTranslations('menu');
  const { country } = useOffice().merchant;
  const [stored] = useState<Allergen[]>(useController({ name }).field.value);
  const offered = [...new Set([...allergensOf(country), ...stored])];
  return <Choices name={name} offered={offered} labelOf={(allergen) => t(`allergen.${allergen}`)} />;
}

interface ChoicesProps<Value extends string> {
  name: string;
  offered: readonly Value[];
  labelOf: (value: Value) => string;
}

/** Any number of values, in the order in which they are offered. */
function Choices<Value extends string>({ name, offered, labelOf }: ChoicesProps<Value>) {
  const { field } = useController({ name });
  const chosen: Value[] = field.value;
  const toggle = (value: Value, isOn: boolean) =>
    field.onChange(offered.filter((one) => (one === value ? isOn : chosen.includes(one))));
  return (
    <div className="flex flex-wrap gap-2">
      {offered.map((value) => (
        <label
          key={value}
          className="inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-full border border-edge px-3.5 text-sm has-checked:border-accent has-checked:bg-tint has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
            onBlur={field.onBlur}
            className="size-4 accent-accent"
          />
          {labelOf(value)}
        </label>
      ))}
    </div>
  );
}
