import { getRequestConfig } from 'next-intl/server';
import { en } from '@/components/messages/en';
import { zh } from '@/components/messages/zh';
import { officeLanguage } from './language';

const all = { en, zh };

/** What next-intl needs of each request. */
export default getRequestConfig(async () => {
  const locale = await officeLanguage();
  return { locale, messages: all[locale] };
});
