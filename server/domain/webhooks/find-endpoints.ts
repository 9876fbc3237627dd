import { and, asc, count, eq, lt, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import type { EventType } from '@/db/kinds/lists';
import { only } from '@/db/query/queries';
import { webhookEndpoints } from '@/db/schema';
import type { PosContext, StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';

/** Who manages endpoints: an owner, or a merchant-wide key with the scope `webhooks`. */
export type EndpointManager = StaffContext | PosContext;

export interface Endpoint {
  endpointId: string;
  url: string;
  description: string;
  /** Null for all types. */
  eventTypes: EventType[] | null;
  state: 'enabled' | 'paused' | 'disabled';
  /** Why the service disabled it: it failed for five days, or answered 410. */
  disabledReason: 'failing' | 'gone' | null;
  disabledAt: Date | null;
  /** Since when it has accepted nothing; null if the last delivery succeeded. */
  failingSince: Date | null;
  /** Until when requests are also signed with the previous secret; null if they are not. */
  previousSecretUntil: Date | null;
  createdAt: Date;
}

const endpointColumns = (now: Date) => {
  const { id: endpointId, url, description, eventTypes, state, disabledReason, disabledAt } = webhookEndpoints;
  const { failingSince, createdAt, previousSecretUntil: until } = webhookEndpoints;
  const previousSecretUntil = sql<Date | null>`case when ${until} > ${sql.param(now, until)} then ${until} end`.mapWith(
    until,
  );
  return {
    endpointId,
    url,
    description,
    eventTypes,
    state,
    disabledReason,
    disabledAt,
    failingSince,
    createdAt,
    previousSecretUntil,
  };
};

/** Lists the merchant's endpoints, oldest first. */
export function listEndpoints({ db, merchant, systemClock }: EndpointManager): Promise<Endpoint[]> {
  return withMerchant(db, merchant.id, (tx) =>
    tx.db
      .select(endpointColumns(systemClock.now()))
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.merchantId, tx.merchantId))
      .orderBy(asc(webhookEndpoints.id)),
  );
}

/** Finds an endpoint. Errors: `webhook_endpoint_not_found`. */
export const getEndpoint = (ctx: EndpointManager, { endpointId }: { endpointId: string }): Promise<Endpoint> =>
  withMerchant(ctx.db, ctx.merchant.id, (tx) => readEndpoint(tx, ctx, endpointId));

/** Reads an endpoint in a database transaction. Errors: `webhook_endpoint_not_found`. */
export async function readEndpoint(tx: Tx, { systemClock }: EndpointManager, endpointId: string): Promise<Endpoint> {
  const columns = endpointColumns(systemClock.now());
  const [row] = await tx.db.select(columns).from(webhookEndpoints).where(isEndpoint(tx, endpointId));
  if (!row) throw endpointNotFound();
  return row;
}

/** An endpoint that has failed for less may only be restarting. */
const alertAfterMs = 10 * 60_000;

/** Counts the endpoints that have failed for longer than `alertAfterMs`, and those that the service disabled. */
export async function countFailingEndpoints({ db, merchant, systemClock }: EndpointManager): Promise<number> {
  const { merchantId, state, failingSince } = webhookEndpoints;
  const before = new Date(systemClock.now().getTime() - alertAfterMs);
  const rows = await withMerchant(db, merchant.id, (tx) =>
    tx.db
      .select({ n: count() })
      .from(webhookEndpoints)
      .where(
        and(
          eq(merchantId, tx.merchantId),
          or(eq(state, 'disabled'), and(eq(state, 'enabled'), lt(failingSince, before))),
        ),
      ),
  );
  return only(rows).n;
}

export const isEndpoint = ({ merchantId }: Pick<Tx, 'merchantId'>, endpointId: string) =>
  and(eq(webhookEndpoints.merchantId, merchantId), eq(webhookEndpoints.id, endpointId));

export const endpointNotFound = () => new DomainError('webhook_endpoint_not_found', say('endpointNotFound'));
