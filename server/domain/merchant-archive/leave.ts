/** A merchant that is exported to live in a database that this one knows nothing of. */
import { and, eq } from 'drizzle-orm';
import type { Queries } from '@/db/query/queries';
import { merchantMoves, merchants } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { endPaymentsOf } from '../bills';
import type { Services } from '../kernel/context';
import { elsewhere } from '../merchants';
import { endTopUpsOf } from '../top-ups';

interface Leaving {
  id: string;
  name: string;
}

/**
 * Ends the merchant's open checkouts and settles what was paid. Errors: `StartupError` if the merchant is open, or if the
 * bank has not decided about a payment; `service_unavailable`.
 */
export async function endCheckouts(db: Queries, services: Services, { id, name }: Leaving): Promise<void> {
  const [row] = await db.select({ closedAt: merchants.closedAt }).from(merchants).where(eq(merchants.id, id));
  if (!row?.closedAt) throw new StartupError(`${name} is open: close it first (merchant close).`);
  const pending = (await endPaymentsOf(services, id)) + (await endTopUpsOf(services, id));
  if (pending > 0)
    throw new StartupError(
      `${pending} card payments of ${name} are not decided yet: repeat the command in some minutes.`,
    );
}

/**
 * Marks a merchant as living elsewhere. From then on, the database refuses the merchant's transactions, and the worker
 * leaves its payments alone: its new home may settle them. `db` connects as the owner of the tables.
 */
export async function markLeft(db: Queries, merchantId: string, leftAt: Date): Promise<void> {
  await db.insert(merchantMoves).values({ merchantId, state: 'left', cell: elsewhere, leftAt });
}

/** Takes a merchant back that does not live elsewhere after all. Returns false if it had not left by an export. */
export async function takeBack(db: Queries, merchantId: string): Promise<boolean> {
  const { merchantId: id, state, cell } = merchantMoves;
  const isElsewhere = and(eq(id, merchantId), eq(state, 'left'), eq(cell, elsewhere));
  return (await db.delete(merchantMoves).where(isElsewhere).returning({ id })).length > 0;
}
