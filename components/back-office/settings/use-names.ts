import { useLocale } from 'next-intl';
import { useMemo } from 'react';

/** Names of codes in the reader's language. */
export function useNames() {
  const locale = useLocale();
  return useMemo(() => {
    const of = (type: Intl.DisplayNamesType) => {
      const names = new Intl.DisplayNames(locale, { type, fallback: 'code' });
      return (code: string) => names.of(code) ?? code;
    };
    const zone = (timeZone: string) => timeZone.replaceAll('_', ' ');
    return { currency: of('currency'), country: of('region'), language: of('language'), zone };
  }, [locale]);
}
