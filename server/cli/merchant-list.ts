import { and, asc, count, countDistinct, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { queriesOn } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { apiKeys, customers, merchantMoves, merchants, stores } from '@/db/schema';
import { describeMove } from '@/server/domain/merchants';
import { asOwner } from './database';
import { readOptions } from './run';

export const usage = '[--json]';

/** Lists the merchants of a database, the oldest first. */
export async function main(args: string[]): Promise<void> {
  const { json } = readOptions({ json: { type: 'boolean' } }, args);
  const rows = await asOwner((owner) => list(queriesOn(owner)));
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : asTable(rows));
}

/** Returns each merchant with the numbers of its stores and customers. `environment` is that of its working API keys. */
function list(db: Queries) {
  const { id, name, createdAt: openedAt, closedAt } = merchants;
  const storeCount = db.select({ count: count() }).from(stores).where(eq(stores.merchantId, id));
  const customerCount = db.select({ count: count() }).from(customers).where(eq(customers.merchantId, id));
  const environment = db
    .select({ one: sql`case when ${countDistinct(apiKeys.environment)} = 1 then min(${apiKeys.environment}) end` })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.merchantId, id),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
      ),
    );
  return db
    .select({
      id,
      name,
      environment: sql<'sandbox' | 'live' | null>`(${environment.getSQL()})`,
      stores: sql<number>`(${storeCount.getSQL()})::integer`,
      customers: sql<number>`(${customerCount.getSQL()})::integer`,
      openedAt,
      closedAt,
      move: { state: merchantMoves.state, cell: merchantMoves.cell },
    })
    .from(merchants)
    .leftJoin(merchantMoves, eq(merchantMoves.merchantId, id))
    .orderBy(asc(openedAt), asc(id));
}

const headings = ['id', 'name', 'keys', 'stores', 'customers', 'opened', 'closed', 'move'];
const dayOf = (at: Date | null): string => at?.toISOString().slice(0, 10) ?? '';

function asTable(rows: Awaited<ReturnType<typeof list>>): string {
  const cells = rows.map(({ id, name, environment, stores, customers, openedAt, closedAt, move }) => [
    ...[id, name, environment ?? '', `${stores}`, `${customers}`, dayOf(openedAt), dayOf(closedAt)],
    move ? describeMove(move) : '',
  ]);
  const lines = [headings, ...cells];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
