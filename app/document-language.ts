import { headers } from 'next/headers';
import { loadTable, readersLanguage } from './q/[token]/load-table';

/** A table's page is in the merchant's language, a closed one in the reader's, all others in English. */
export async function documentLanguage(): Promise<string> {
  const token = (await headers()).get('x-request-path')?.match(/^\/q\/([^/?]+)(?:$|\?)/)?.[1];
  if (token === undefined) return 'en';
  try {
    const table = await loadTable(token);
    return table?.merchant.locale ?? (await readersLanguage());
  } catch {
    // The page itself fails on it, in English.
    return 'en';
  }
}
