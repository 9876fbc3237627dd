import { useLocale, useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { currencyStyle, toMajorUnits } from '@/server/domain/kernel/money';
import type { Sentence, Value } from '@/server/domain/kernel/say';

/** Renders the domain's sentences in the reader's language. */
export function useSentence(): (sentence: Sentence) => string {
  const t = useTranslations('errors');
  const locale = useLocale();
  return useCallback(
    (sentence) => {
      const say = ({ key, values }: Sentence): string =>
        t(key, Object.fromEntries(Object.entries(values).map(([gap, value]) => [gap, write(value)])));
      const write = (value: Value): string => {
        if (typeof value !== 'object') return String(value);
        if ('key' in value) return say(value);
        const style = { ...currencyStyle(value.currency), currencyDisplay: 'narrowSymbol' } as const;
        return new Intl.NumberFormat(locale, style).format(toMajorUnits(value.minor, value.currency));
      };
      return say(sentence);
    },
    [t, locale],
  );
}
