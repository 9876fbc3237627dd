/** Connections without the settings of the service: for commands, migrations, seeds and tests. */
import postgres from 'postgres';

export type { ISql, ReservedSql, Row, Sql, TransactionSql } from 'postgres';
/** A connection as the owner of the tables, which sees the rows of all merchants. */
export type Owner = Pick<postgres.Sql, 'begin' | 'unsafe'>;

/** Opens a pool, of one connection unless `options` says otherwise. The caller ends it. */
export const openSql = (url: string, options: postgres.Options<Record<never, never>> = {}): postgres.Sql =>
  postgres(url, { max: 1, onnotice: () => {}, ...options });
