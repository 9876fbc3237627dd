import { cache } from 'react';
import { getServices } from '@/server/database';
import { getTablePage } from '@/server/domain/qr-ordering/table-page';

/** Looked up once per request, for the document's language, its title and the page. */
export const loadTable = cache((token: string) => getTablePage(getServices(), token));
