import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { insertFrom } from '@/db/expressions';
import type { MovedKind } from '@/db/lists';
import type { Queries } from '@/db/queries';
import { apiKeys, invitations, memberships, menuPhotos, movedReferences, qrCodes } from '@/db/schema';

/**
 * Keeps by what callers name a merchant that has left, before its rows are removed: keys and codes that still work, photos
 * and people. `db` is a database transaction of the tables' owner. May run twice.
 */
export async function keepReferences(db: Queries, merchantId: string): Promise<void> {
  const keep = (kind: MovedKind, table: PgTable & { merchantId: PgColumn }, reference: PgColumn | SQL, isAlive?: SQL) =>
    db.run(
      sql`${insertFrom(
        movedReferences,
        { merchantId: table.merchantId, kind, reference: sql<Buffer>`${reference}` },
        sql`${table} where ${and(eq(table.merchantId, merchantId), isAlive)}`,
      )} on conflict do nothing`,
    );
  const idOf = (column: PgColumn) => sql`uuid_send(${column})`;
  const { expiresAt, revokedAt } = apiKeys;
  const isKeyAlive = and(isNull(revokedAt), or(isNull(expiresAt), gt(expiresAt, sql`now()`)));
  await keep('apiKey', apiKeys, apiKeys.hash, isKeyAlive);
  await keep('qrCode', qrCodes, qrCodes.tokenHash, gt(qrCodes.expiresAt, sql`now()`));
  await keep('invitation', invitations, invitations.tokenHash, gt(invitations.expiresAt, sql`now()`));
  await keep('photo', menuPhotos, idOf(menuPhotos.id));
  await keep('member', memberships, idOf(memberships.userId));
}
