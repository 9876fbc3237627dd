import { headers } from 'next/headers';
import { officeLanguage } from '@/server/intl/language';
import { loadTable, readersLanguage } from './q/[token]/load-table';

/** A table's page is in the merchant's language, a closed one in the reader's; the public site is in English. */
export async function documentLanguage(): Promise<string> {
  const path = (await headers()).get('x-request-path') ?? '/';
  const token = path.match(/^\/q\/([^/?]+)(?:$|\?)/)?.[1];
  if (token === undefined) return /^\/(docs)?(?:$|\?)/.test(path) ? 'en' : officeLanguage();
  try {
    const table = await loadTable(token);
    return table?.merchant.locale ?? (await readersLanguage());
  } catch {
    // The page itself fails on it, in English.
    return 'en';
  }
}
