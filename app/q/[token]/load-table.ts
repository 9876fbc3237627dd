import { headers } from 'next/headers';
import { cache } from 'react';
import { spokenLanguage } from '@/components/ordering/words';
import { getServices } from '@/server/database';
import { getTablePage } from '@/server/domain/qr-ordering/table-page';

/** Looked up once per request, for the document's language, its title and the page. */
export const loadTable = cache((token: string) => getTablePage(getServices(), token));

/** For a closed page, which must not tell whose it was. */
export async function readersLanguage(): Promise<string> {
  return spokenLanguage((await headers()).get('accept-language'));
}
