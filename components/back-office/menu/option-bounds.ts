import { useTranslations } from 'next-intl';

/** Describes how many options a diner chooses: `Choose 1`, `Choose up to 3`, `Choose 1 to 3`. */
export function useBoundsText() {
  const t = useTranslations('menu');
  return ({ minimum, maximum }: { minimum: number; maximum: number }): string => {
    if (minimum === maximum) return t('chooseExactly', { count: minimum });
    return minimum === 0 ? t('chooseUpTo', { count: maximum }) : t('chooseBetween', { minimum, maximum });
  };
}
