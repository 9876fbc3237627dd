'use client';

import { useTranslations } from 'next-intl';
import { useController } from 'react-hook-form';
import type { Allergen } from '@/server/domain/kernel/context';
import { allergens } from '@/server/domain/kernel/context';
import { Section } from '../../ui/section';

/** The allergens in an item. */
export function AllergensField() {
  const t = useTranslations('menu');
  const { field } = useController({ name: 'allergens' });
  const chosen: Allergen[] = field.value;
  const toggle = (allergen: Allergen, isOn: boolean) =>
    field.onChange(allergens.filter((one) => (one === allergen ? isOn : chosen.includes(one))));
  return (
    <Section title={t('allergens')} description={t('allergensHint')}>
      <div className="flex flex-wrap gap-2">
        {allergens.map((allergen) => (
          <label
            key={allergen}
            className="inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-full border border-edge px-3.5 text-sm has-checked:border-accent has-checked:bg-tint has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="checkbox"
              checked={chosen.includes(allergen)}
              onChange={(event) => toggle(allergen, event.target.checked)}
              onBlur={field.onBlur}
              className="size-4 accent-accent"
            />
            {t(`allergen.${allergen}`)}
          </label>
        ))}
      </div>
    </Section>
  );
}
