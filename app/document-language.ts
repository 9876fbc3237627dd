import { headers } from 'next/headers';
import { spokenLanguage } from '@/components/ordering/words';
import { loadTable } from './q/[token]/load-table';

/** A table's page is in the merchant's language, a closed one in the reader's, all others in English. */
export async function documentLanguage(): Promise<string> {
  const asked = await headers();
  const token = asked.get('x-request-path')?.match(/^\/q\/([^/?]+)(?:$|\?)/)?.[1];
  if (token === undefined) return 'en';
  try {
    const table = await loadTable(token);
    return table?.merchant.locale ?? spokenLanguage(asked.get('accept-language'));
  } catch {
    // The page itself fails on it, in English.
    return 'en';
  }
}
