import { getRequestConfig } from 'next-intl/server';
import { messages } from '@/components/messages/messages';
import { officeLanguage } from './language';

/** The settings that next-intl needs for each request. */
export default getRequestConfig(async () => {
  const locale = await officeLanguage();
  return { locale, messages: messages[locale] };
});
