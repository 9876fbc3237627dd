import { headers } from 'next/headers';
import type { Language } from '@/server/domain/kernel/context';
import { officeLanguage } from '@/server/intl/language';
import { findVisit } from './loyalty/[merchantId]/load-visit';

const requestPath = async () => (await headers()).get('x-request-path') ?? '/';

/** True for a diner's account, which looks like the page of their table. */
export const isDinerPage = async (): Promise<boolean> => (await requestPath()).startsWith('/loyalty/');

/**
 * The document's language: English on the public site, the diner's on account pages, and the reader's in the back
 * office.
 */
export async function documentLanguage(): Promise<Language> {
  const path = await requestPath();
  if (/^\/(docs)?(?:$|\?)/.test(path)) return 'en';
  const merchantId = path.match(/^\/loyalty\/([^/?]+)/)?.[1];
  if (merchantId === undefined) return officeLanguage();
  // Without the database, the page itself fails, in English.
  return findVisit(merchantId).then(
    ({ language }) => language,
    () => 'en',
  );
}
