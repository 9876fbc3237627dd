import { headers } from 'next/headers';
import { officeLanguage } from '@/server/intl/language';
import { findVisit } from './loyalty/[merchantId]/load-visit';

/** The public site is in English; an account page in the diner's language, and the office in its reader's. */
export async function documentLanguage(): Promise<string> {
  const path = (await headers()).get('x-request-path') ?? '/';
  if (/^\/(docs)?(?:$|\?)/.test(path)) return 'en';
  const merchantId = path.match(/^\/loyalty\/([^/?]+)/)?.[1];
  if (merchantId === undefined) return officeLanguage();
  // The page itself fails without the database, in English.
  return findVisit(merchantId).then(
    ({ language }) => language,
    () => 'en',
  );
}
