import { useLocale, useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { currencyStyle, formatMoney, minorDigits } from '@/server/domain/core/money';
import errors from './en/errors.json';

/** Under which key of `errors` a sentence stands, and what is in its gaps. */
interface Sentence {
  key: keyof typeof errors;
  values: Record<string, string>;
}

const gap = /\{(\w+)\}/g;

/** The sentences as they are recognised: those with most words of their own first. */
const patterns = Object.entries(errors)
  .map(([key, text]) => ({ key: key as Sentence['key'], words: text.replace(gap, ''), pattern: toPattern(text) }))
  .sort((a, b) => b.words.length - a.words.length);

function toPattern(text: string): RegExp {
  const escaped = text.replace(/[.*+?^$()|[\]\\/-]/g, '\\$&');
  return new RegExp(`^${escaped.replace(gap, '(?<$1>.*?)')}$`, 's');
}

/** Which of its sentences the domain says; null for what is none. */
export function findSentence(text: string): Sentence | null {
  for (const { key, pattern } of patterns) {
    const found = pattern.exec(text);
    if (found) return { key, values: { ...found.groups } };
  }
  return null;
}

/** An amount as the domain writes it (`12.00 SGD`) in the reader's way; anything else as it is. */
function inReadersWay(locale: string, value: string): string {
  const [, amount = '', currency = ''] = /^(-?[\d.]+) ([A-Z]{3})$/.exec(value) ?? [];
  if (currency === '') return value;
  const isAmount = formatMoney(Number(amount) * 10 ** minorDigits(currency), currency) === value;
  const style = { ...currencyStyle(currency), currencyDisplay: 'narrowSymbol' } as const;
  return isAmount ? new Intl.NumberFormat(locale, style).format(Number(amount)) : value;
}

/**
 * What the domain says, in the reader's words. It speaks English, as its API does, and its sentences are looked up by
 * their English. Anything else stays as it is.
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
          Object.entries(sentence.values).map(([name, value]) => [name, inReadersWay(locale, value)]),
        );
        // A refusal of a request quotes what is wrong with the field.
        return t(key, values.problem === undefined ? values : { ...values, problem: say(values.problem) });
      };
      return say(text);
    },
    [t, locale],
  );
}
