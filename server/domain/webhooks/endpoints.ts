import { and, asc, count, eq, lt, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import type { EventType } from '@/db/kinds/lists';
import { only } from '@/db/query/queries';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services, StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { openSecret, sealSecret } from '../kernel/secrets';
import { lockMerchant, refreshEventTypes } from '../merchants';
import { checkUrl } from './check-url';
import { type ChangeEndpointInput, type CreateEndpointInput, maxEndpoints } from './schemas';
import { newWebhookSecret } from './signature';

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

/** Identifies an endpoint outside of a request, which would name the merchant. */
export interface EndpointKey {
  merchantId: string;
  endpointId: string;
}

const previousSecretMs = 24 * 3_600_000;

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
export function listEndpoints({ db, merchant, systemClock }: StaffContext): Promise<Endpoint[]> {
  return withMerchant(db, merchant.id, (tx) =>
    tx.db
      .select(endpointColumns(systemClock.now()))
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.merchantId, tx.merchantId))
      .orderBy(asc(webhookEndpoints.id)),
  );
}

/** Finds an endpoint. Errors: `webhook_endpoint_not_found`. */
export async function getEndpoint(ctx: StaffContext, { endpointId }: { endpointId: string }): Promise<Endpoint> {
  const [row] = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    tx.db.select(endpointColumns(ctx.systemClock.now())).from(webhookEndpoints).where(isEndpoint(tx, endpointId)),
  );
  if (!row) throw endpointNotFound();
  return row;
}

/** An endpoint that has failed for less may only be restarting. */
const alertAfterMs = 10 * 60_000;

/** Counts the endpoints that have failed for longer than `alertAfterMs`, and those that the service disabled. */
export async function countFailingEndpoints({ db, merchant, systemClock }: StaffContext): Promise<number> {
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

/** The place in the order of events from which later events follow. Some events of the last moments may follow, too. */
const fromNow = { queuedXid: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`, queuedSeq: 0 };

/**
 * Creates an endpoint. The secret is returned only here. Errors: `invalid_request` for an address to which nothing is
 * ever sent, or too many endpoints.
 */
export function createEndpoint(
  ctx: StaffContext,
  input: CreateEndpointInput,
): Promise<{ endpointId: string; secret: string }> {
  checkUrl(ctx, input.url);
  const [endpointId, secret] = [newId(), newWebhookSecret()];
  return change(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const { n } = only(
      await db.select({ n: count() }).from(webhookEndpoints).where(eq(webhookEndpoints.merchantId, merchantId)),
    );
    if (n >= maxEndpoints) throw invalid('url', say('tooManyEndpoints', { count: maxEndpoints }));
    const sealed = sealSecret(ctx.webhookKey, subjectOf(endpointId), secret);
    await db.insert(webhookEndpoints).values({
      merchantId,
      id: endpointId,
      ...input,
      secret: sealed,
      ...fromNow,
      createdAt: ctx.systemClock.now(),
    });
    await auditEndpoint(tx, ctx, 'webhook.create', endpointId, { after: auditedOf(input) });
    return { endpointId, secret };
  });
}

/**
 * Changes an endpoint. Waiting deliveries go to the new address. Errors: as `createEndpoint`, and
 * `webhook_endpoint_not_found`.
 */
export function changeEndpoint(ctx: StaffContext, { endpointId, ...after }: ChangeEndpointInput): Promise<void> {
  checkUrl(ctx, after.url);
  return change(ctx, async (tx) => {
    const before = await lockEndpoint(tx, endpointId);
    await tx.db.update(webhookEndpoints).set(after).where(isEndpoint(tx, endpointId));
    await auditEndpoint(tx, ctx, 'webhook.change', endpointId, { before: auditedOf(before), after: auditedOf(after) });
  });
}

/**
 * Gives an endpoint a new secret, which is returned only here. Requests are signed with both for a day. Errors:
 * `webhook_endpoint_not_found`.
 */
export function rotateSecret(ctx: StaffContext, { endpointId }: { endpointId: string }): Promise<{ secret: string }> {
  return change(ctx, async (tx) => {
    const { secret: previousSecret } = await lockEndpoint(tx, endpointId);
    const secret = newWebhookSecret();
    const previousSecretUntil = new Date(ctx.systemClock.now().getTime() + previousSecretMs);
    const sealed = sealSecret(ctx.webhookKey, subjectOf(endpointId), secret);
    await tx.db
      .update(webhookEndpoints)
      .set({ secret: sealed, previousSecret, previousSecretUntil })
      .where(isEndpoint(tx, endpointId));
    await auditEndpoint(tx, ctx, 'webhook.rotateSecret', endpointId, { after: { previousSecretUntil } });
    return { secret };
  });
}

/** Pauses an endpoint: its events wait. Does nothing to a disabled one. Errors: `webhook_endpoint_not_found`. */
export function pauseEndpoint(ctx: StaffContext, { endpointId }: { endpointId: string }): Promise<void> {
  return change(ctx, async (tx) => {
    const { state } = await lockEndpoint(tx, endpointId);
    if (state !== 'enabled') return;
    await tx.db.update(webhookEndpoints).set({ state: 'paused' }).where(isEndpoint(tx, endpointId));
    await auditEndpoint(tx, ctx, 'webhook.pause', endpointId);
  });
}

/**
 * Enables an endpoint. Events that waited during a pause are sent. Events from while it was disabled are not. Errors:
 * `webhook_endpoint_not_found`.
 */
export function resumeEndpoint(ctx: StaffContext, { endpointId }: { endpointId: string }): Promise<void> {
  return change(ctx, async (tx) => {
    const { state } = await lockEndpoint(tx, endpointId);
    if (state === 'enabled') return;
    const anew = state === 'disabled' ? fromNow : {};
    await tx.db
      .update(webhookEndpoints)
      .set({ state: 'enabled', disabledReason: null, disabledAt: null, failingSince: null, ...anew })
      .where(isEndpoint(tx, endpointId));
    await auditEndpoint(tx, ctx, 'webhook.resume', endpointId);
  });
}

/** Deliveries that are deleted in one database transaction. */
const deletedAtOnce = 5_000;

/** Deletes an endpoint with its deliveries. Errors: `webhook_endpoint_not_found`. */
export async function removeEndpoint(ctx: StaffContext, { endpointId }: { endpointId: string }): Promise<void> {
  await pauseEndpoint(ctx, { endpointId });
  while ((await deleteDeliveries(ctx, endpointId)) === deletedAtOnce);
  await change(ctx, async (tx) => {
    const before = await lockEndpoint(tx, endpointId);
    await tx.db.delete(webhookEndpoints).where(isEndpoint(tx, endpointId));
    await auditEndpoint(tx, ctx, 'webhook.remove', endpointId, { before: auditedOf(before) });
  });
}

const deleteDeliveries = ({ db, merchant }: StaffContext, endpointId: string): Promise<number> =>
  withMerchant(db, merchant.id, async (tx) => {
    const { merchantId, eventId } = webhookDeliveries;
    const isOfEndpoint = and(eq(merchantId, tx.merchantId), eq(webhookDeliveries.endpointId, endpointId));
    const some = tx.db.select({ eventId }).from(webhookDeliveries).where(isOfEndpoint).limit(deletedAtOnce);
    const { count: deleted } = await tx.db
      .delete(webhookDeliveries)
      .where(and(isOfEndpoint, sql`${eventId} in ${some}`));
    return deleted;
  });

/** Runs one change of endpoints after another, and updates the types of events that the merchant records. */
const change = <T>({ db, merchant, clock }: StaffContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withMerchant(db, merchant.id, async (tx) => {
    await lockMerchant(tx);
    const result = await work(tx);
    await Promise.all([refreshEventTypes(tx, clock.now()), announceChange(tx, 'webhooks')]);
    return result;
  });

async function lockEndpoint(tx: Tx, endpointId: string) {
  const { url, description, eventTypes, state, secret } = webhookEndpoints;
  const [endpoint] = await tx.db
    .select({ url, description, eventTypes, state, secret })
    .from(webhookEndpoints)
    .where(isEndpoint(tx, endpointId))
    .for('no key update');
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}

/** The audit log gets only the host, because a path may contain a secret. */
const auditedOf = ({ url, eventTypes }: Pick<Endpoint, 'url' | 'eventTypes'>) => ({
  host: new URL(url).host,
  eventTypes,
});

type Action = 'create' | 'change' | 'rotateSecret' | 'pause' | 'resume' | 'remove';

async function auditEndpoint(
  tx: Tx,
  ctx: StaffContext,
  action: `webhook.${Action}`,
  endpointId: string,
  facts: { before?: object; after?: object } = {},
): Promise<void> {
  await auditStaff(tx, ctx, action, { kind: 'webhook', id: endpointId }, facts);
  const { userId } = ctx.staff;
  logSecurity('webhook.endpoint_changed', { action, endpointId, merchantId: tx.merchantId, userId });
}

/** The name to which an endpoint's secrets are bound when they are sealed. */
const subjectOf = (endpointId: string) => `webhook endpoint ${endpointId}`;

type Sealed = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'secret' | 'previousSecret' | 'previousSecretUntil'>;

/** Opens the secrets with which requests are signed now. */
export function openSecrets({ webhookKey, systemClock }: Services, sealed: Sealed): string[] {
  const { id, secret, previousSecret, previousSecretUntil } = sealed;
  const isRotated = previousSecret && previousSecretUntil && previousSecretUntil > systemClock.now();
  const all = isRotated ? [secret, previousSecret] : [secret];
  return all.map((one) => openSecret(webhookKey, subjectOf(id), one));
}
