import { useLocale, useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { currencyStyle, formatMoney, minorDigits } from '@/server/domain/core/money';
import errors from './en/errors.json';

/** The key of a sentence in `errors`, and the values of its placeholders. */
interface Sentence {
  key: keyof typeof errors;
  values: Record<string, string>;
}

const placeholder = /\{(\w+)\}/g;

/** Patterns of the sentences, those with the most literal text first. */
const patterns = Object.entries(errors)
  .map(([key, text]) => ({
    key: key as Sentence['key'],
    words: text.replace(placeholder, ''),
    pattern: toPattern(text),
  }))
  .sort((a, b) => b.words.length - a.words.length);

function toPattern(text: string): RegExp {
  const escaped = text.replace(/[.*+?^$()|[\]\\/-]/g, '\\$&');
  return new RegExp(`^${escaped.replace(placeholder, '(?<$1>.*?)')}$`, 's');
}

/** Returns the domain sentence that a text matches; null for none. */
export function findSentence(text: string): Sentence | null {
  for (const { key, pattern } of patterns) {
    const found = pattern.exec(text);
    if (found) return { key, values: { ...found.groups } };
  }
  return null;
}

/** Formats a domain amount (`12.00 SGD`) for the reader's locale; returns anything else unchanged. */
function formatAmount(locale: string, value: string): string {
  const [, amount = '', currency = ''] = /^(-?[\d.]+) ([A-Z]{3})$/.exec(value) ?? [];
  if (currency === '') return value;
  const isAmount = formatMoney(Number(amount) * 10 ** minorDigits(currency), currency) === value;
  const style = { ...currencyStyle(currency), currencyDisplay: 'narrowSymbol' } as const;
  return isAmount ? new Intl.NumberFormat(locale, style).format(Number(amount)) : value;
}

/**
 * Translates the domain's messages. The domain and its API use English, and a message is looked up by its English text.
 * Any other text is returned unchanged.
 */
export function useDomainText(): (text: string) => string {
  const t = useTranslations('errors');
  const locale = useLocale();
  return useCallback(
    (text) => {
      const say = (one: string): string => {
        const sentence = findSentence(one);
        if (sentence === null) return one;
        const { key } = sentence;
        const values = Object.fromEntries(
          Object.entries(sentence.values).map(([name, value]) => [name, formatAmount(locale, value)]),
        );
        // An invalid request's error quotes the field's error.
        return t(key, values.problem === undefined ? values : { ...values, problem: say(values.problem) });
      };
      return say(text);
    },
    [t, locale],
  );
}
