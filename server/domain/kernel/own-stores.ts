import type { Database } from '@/db/driver';
import { DomainError } from './errors';
import { say } from './say';

type Limited = Pick<Database, 'stores'>;

/** True for a store that the person does not work for. */
export const isElsewhere = ({ stores }: Limited, storeId: string | null): boolean =>
  stores !== undefined && storeId !== null && !stores.includes(storeId);

/** For data that belongs to all stores. Errors: `role_forbidden` for staff of named stores. */
export function ensureAllStores({ db }: { db: Limited }): void {
  if (db.stores) throw new DomainError('role_forbidden', say('allStoresOnly'));
}
