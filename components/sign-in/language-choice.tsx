'use client';

import { useTranslations } from 'next-intl';
import { keepLanguage } from '../keep-language';
import { languages } from '../messages/languages';
import { useLanguage } from '../messages/use-language';
import { SelectBox } from '../ui/select';

const options = Object.entries(languages).map(([value, label]) => ({ value, label }));

/** Switches the language of these pages and of the back office. */
export function LanguageChoice() {
  const t = useTranslations('shell');
  return (
    <div className="noscript:hidden">
      <SelectBox
        aria-label={t('language')}
        value={useLanguage()}
        onChange={({ target }) => keepLanguage('language', target.value)}
        options={options}
      />
    </div>
  );
}
