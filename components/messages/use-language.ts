import { useLocale } from 'next-intl';
import type { Language } from '@/server/domain/kernel/context';

/** The language of the page; its locale may also name the merchant's country. */
export const useLanguage = () => useLocale().split('-')[0] as Language;
