import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { memberships, users, webhookDeliveries, webhookEndpoints } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import { auditChange } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { queueMail } from '../mail';
import { clockOf, lockMerchant, refreshEventTypes } from '../merchants';
import type { EndpointKey } from './endpoints';
import { isEndpoint } from './find-endpoints';

/**
 * Disables an endpoint that is gone or has failed for too long, and notifies the owners by mail, once. Its waiting
 * deliveries fail. Does nothing if its address has changed.
 */
export async function disableEndpoint(
  services: Services,
  { merchantId, endpointId }: EndpointKey,
  { url, reason }: { url: string; reason: 'failing' | 'gone' },
): Promise<void> {
  const isDisabled = await withMerchant(services.db, merchantId, async (tx) => {
    const merchant = await lockMerchant(tx);
    const [disabled] = await tx.db
      .update(webhookEndpoints)
      .set({ state: 'disabled', disabledReason: reason, disabledAt: services.systemClock.now() })
      .where(
        and(
          isEndpoint(tx, endpointId),
          eq(webhookEndpoints.url, url),
          eq(webhookEndpoints.state, 'enabled').inlineParams(),
        ),
      )
      .returning({ id: webhookEndpoints.id });
    if (!disabled) return false;
    const owners = await tx.db
      .select({ recipient: users.email, language: users.language, name: users.name })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.merchantId, merchantId), eq(memberships.role, 'owner').inlineParams()));
    const letter = {
      ...({ kind: 'webhookDisabled', reason, merchantName: merchant.name, host: new URL(url).host } as const),
      url: `${services.publicOrigin}/webhooks/${endpointId}`,
    };
    const subject = { kind: 'webhook', id: endpointId };
    const now = clockOf(services, merchant).now();
    await Promise.all([
      refreshEventTypes(tx, now),
      tx.db
        .update(webhookDeliveries)
        .set({ state: 'failed', nextAttemptAt: null })
        .where(
          and(
            eq(webhookDeliveries.merchantId, merchantId),
            eq(webhookDeliveries.endpointId, endpointId),
            eq(webhookDeliveries.state, 'pending').inlineParams(),
          ),
        ),
      auditChange(tx, { kind: 'service', id: null }, 'webhook.disable', subject, now, { after: { reason } }),
      announceChange(tx, 'webhooks'),
      ...owners.map(({ recipient, language, name }) =>
        queueMail(tx.db, services, { recipient, letter: { ...letter, name, language: language ?? 'en' } }),
      ),
    ]);
    return true;
  });
  if (isDisabled) logSecurity('webhook.endpoint_disabled', { endpointId, merchantId, reason });
}
