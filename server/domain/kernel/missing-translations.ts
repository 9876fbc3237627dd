/** Finds names that diners in one of their languages would see in the original. */
import { or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Merchant, menuLanguages } from './context';

/** True where one of diners' languages, other than the merchant's own, has no name. */
export function lacksTranslation({ locale }: Pick<Merchant, 'locale'>, translations: PgColumn): SQL {
  const own = locale.split('-')[0];
  const missing = menuLanguages
    .filter((language) => language !== own)
    .map((language) => sql`coalesce(${translations} -> ${language}::text ->> 'name', '') = ''`);
  return sql`(${or(...missing)})`;
}
