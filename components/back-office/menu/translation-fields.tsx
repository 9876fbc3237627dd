'use client';

import { ChevronDown } from 'lucide-react';
import { useLocale, useTranslations } from 'next-intl';
import type { MenuLanguage } from '@/server/domain/kernel/context';
import { translationLanguages } from '@/server/domain/kernel/missing-translations';
import { TextAreaField, TextField } from '../../form/fields';
import { useOffice } from '../office/office';

/** The languages for translations: all but the merchant's own. */
export function useMenuLanguages(): MenuLanguage[] {
  return translationLanguages(useOffice().merchant);
}

/** A form's initial values. A field that is missing from them could not be edited. */
export const emptyNames = (languages: MenuLanguage[]) =>
  Object.fromEntries(languages.map((language) => [language, { name: '' }]));
export const emptyTexts = (languages: MenuLanguage[]) =>
  Object.fromEntries(languages.map((language) => [language, { name: '', description: '' }]));

interface TranslationFieldsProps {
  /** The path of the translations in the form. */
  path?: string;
  hasDescription?: boolean;
}

/** Translations for diners, collapsed until opened. */
export function TranslationFields({ path = 'translations', hasDescription = false }: TranslationFieldsProps) {
  const t = useTranslations('menu');
  const languages = useMenuLanguages();
  const names = new Intl.DisplayNames(useLocale(), { type: 'language' });
  return (
    <details className="group rounded-xl border border-line">
      <summary className="flex min-h-11 cursor-pointer items-center justify-between rounded-xl px-4 text-sm font-medium hover:bg-tint">
        {t('translations')}
        <ChevronDown className="size-4 text-muted transition-transform group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-4">
        <p className="text-sm text-muted">{t('translationsHint')}</p>
        {languages.map((language) => {
          const values = { language: names.of(language) ?? language };
          return (
            <div key={language} className="flex flex-col gap-3">
              <TextField name={`${path}.${language}.name`} label={t('nameIn', values)} lang={language} />
              {hasDescription ? (
                <TextAreaField name={`${path}.${language}.description`} label={t('descriptionIn', values)} rows={2} />
              ) : null}
            </div>
          );
        })}
      </div>
    </details>
  );
}
