import { isDeepStrictEqual } from 'node:util';
import { and, count, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import type { endpointStates } from '@/db/kinds/lists';
import { only } from '@/db/query/queries';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import { actorOf, auditChange } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { openSecret, sealSecret } from '../kernel/secrets';
import { lockMerchant, refreshEventTypes } from '../merchants';
import { checkUrl } from './check-url';
import { type Endpoint, type EndpointManager, endpointNotFound, isEndpoint, readEndpoint } from './find-endpoints';
import {
  type ChangeEndpointByKeyInput,
  type ChangeEndpointInput,
  type CreateEndpointInput,
  maxEndpoints,
} from './schemas';
import { newWebhookSecret } from './signature';

/** Identifies an endpoint outside of a request, which would name the merchant. */
export interface EndpointKey {
  merchantId: string;
  endpointId: string;
}

const previousSecretMs = 24 * 3_600_000;

/** The place in the order of events from which later events follow. Some events of the last moments may follow, too. */
const fromNow = { queuedXid: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`, queuedSeq: 0 };

/**
 * Creates an endpoint. The secret is returned only here. Errors: `invalid_request` for an address to which nothing is
 * ever sent, or too many endpoints.
 */
export function createEndpoint(
  ctx: EndpointManager,
  input: CreateEndpointInput,
): Promise<Endpoint & { secret: string }> {
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
    return { ...(await readEndpoint(tx, ctx, endpointId)), secret };
  });
}

/**
 * Changes the given fields of an endpoint. Waiting deliveries go to the new address. Errors: as `createEndpoint`, and
 * `webhook_endpoint_not_found`.
 */
export function changeEndpoint(ctx: EndpointManager, { endpointId, state, ...given }: ChangeInput): Promise<Endpoint> {
  if (given.url !== undefined) checkUrl(ctx, given.url);
  return change(ctx, async (tx) => {
    const { secret: _, state: stateBefore, ...before } = await lockEndpoint(tx, endpointId);
    const after = { ...before, ...given };
    if (!isDeepStrictEqual(after, before)) {
      await tx.db.update(webhookEndpoints).set(after).where(isEndpoint(tx, endpointId));
      const facts = { before: auditedOf(before), after: auditedOf(after) };
      await auditEndpoint(tx, ctx, 'webhook.change', endpointId, facts);
    }
    if (state === 'paused') await pause(tx, ctx, endpointId, stateBefore);
    if (state === 'enabled') await resume(tx, ctx, endpointId, stateBefore);
    return readEndpoint(tx, ctx, endpointId);
  });
}

type ChangeInput = (ChangeEndpointInput & { state?: never }) | ChangeEndpointByKeyInput;
type State = (typeof endpointStates)[number];

/**
 * Gives an endpoint a new secret, which is returned only here. Requests are signed with both for a day. Errors:
 * `webhook_endpoint_not_found`.
 */
export function rotateSecret(
  ctx: EndpointManager,
  { endpointId }: { endpointId: string },
): Promise<{ secret: string; previousSecretUntil: Date }> {
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
    return { secret, previousSecretUntil };
  });
}

/** Pauses an endpoint: its events wait. Does nothing to a disabled one. Errors: `webhook_endpoint_not_found`. */
export const pauseEndpoint = (ctx: EndpointManager, { endpointId }: { endpointId: string }): Promise<void> =>
  change(ctx, async (tx) => pause(tx, ctx, endpointId, (await lockEndpoint(tx, endpointId)).state));

async function pause(tx: Tx, ctx: EndpointManager, endpointId: string, state: State): Promise<void> {
  if (state !== 'enabled') return;
  await tx.db.update(webhookEndpoints).set({ state: 'paused' }).where(isEndpoint(tx, endpointId));
  await auditEndpoint(tx, ctx, 'webhook.pause', endpointId);
}

/**
 * Enables an endpoint. Events that waited during a pause are sent. Events from while it was disabled are not. Errors:
 * `webhook_endpoint_not_found`.
 */
export const resumeEndpoint = (ctx: EndpointManager, { endpointId }: { endpointId: string }): Promise<void> =>
  change(ctx, async (tx) => resume(tx, ctx, endpointId, (await lockEndpoint(tx, endpointId)).state));

async function resume(tx: Tx, ctx: EndpointManager, endpointId: string, state: State): Promise<void> {
  if (state === 'enabled') return;
  const anew = state === 'disabled' ? fromNow : {};
  await tx.db
    .update(webhookEndpoints)
    .set({ state: 'enabled', disabledReason: null, disabledAt: null, failingSince: null, ...anew })
    .where(isEndpoint(tx, endpointId));
  await auditEndpoint(tx, ctx, 'webhook.resume', endpointId);
}

/** Deliveries that are deleted in one database transaction. */
const deletedAtOnce = 5_000;

/** Deletes an endpoint with its deliveries. Errors: `webhook_endpoint_not_found`. */
export async function removeEndpoint(ctx: EndpointManager, { endpointId }: { endpointId: string }): Promise<void> {
  await pauseEndpoint(ctx, { endpointId });
  while ((await deleteDeliveries(ctx, endpointId)) === deletedAtOnce);
  await change(ctx, async (tx) => {
    const before = await lockEndpoint(tx, endpointId);
    await tx.db.delete(webhookEndpoints).where(isEndpoint(tx, endpointId));
    await auditEndpoint(tx, ctx, 'webhook.remove', endpointId, { before: auditedOf(before) });
  });
}

const deleteDeliveries = ({ db, merchant }: EndpointManager, endpointId: string): Promise<number> =>
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
const change = <T>({ db, merchant, clock }: EndpointManager, work: (tx: Tx) => Promise<T>): Promise<T> =>
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
  ctx: EndpointManager,
  action: `webhook.${Action}`,
  endpointId: string,
  change: { before?: object; after?: object } = {},
): Promise<void> {
  await auditChange(tx, actorOf(ctx), action, { kind: 'webhook', id: endpointId }, ctx.clock.now(), change);
  const facts = { action, endpointId, merchantId: tx.merchantId };
  const by = 'staff' in ctx ? { ...facts, userId: ctx.staff.userId } : { ...facts, apiKeyId: ctx.apiKeyId };
  logSecurity('webhook.endpoint_changed', by);
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
