import { or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Merchant } from './context';
import { translationLanguages } from './missing-translations';

/** True for rows for which `lacksTranslation` is true. */
export function lacksTranslationSql(merchant: Pick<Merchant, 'locale'>, translations: PgColumn): SQL {
  const missing = translationLanguages(merchant).map(
    (language) => sql`coalesce(${translations} -> ${language}::text ->> 'name', '') = ''`,
  );
  return sql`(${or(...missing)})`;
}
