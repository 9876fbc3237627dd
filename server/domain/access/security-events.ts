/** Security events of people and keys, in the log and in the audit log of each merchant concerned. */

import { sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { auditPerson } from '@/db/query/functions';
import type { Queries } from '@/db/query/queries';
import { logSecurity } from '@/server/observe/security-log';
import { auditChange } from '../kernel/audit';
import type { Merchant, Services, StaffContext } from '../kernel/context';
import { networkOf, truncateAddress } from '../kernel/networks';
import { countRefusal } from '../limits';
import { withMerchantClock } from '../merchants';
import type { Browser } from './browser';
import type { NeededScope } from './key-access';

interface PersonEvent {
  userId: string;
  action:
    | 'staff.signIn'
    | 'staff.signInRefused'
    | 'staff.secondStepRefused'
    | 'staff.signOut'
    | 'staff.endSessions'
    | 'staff.changePassword'
    | 'staff.addSecondFactor'
    | 'staff.removeSecondFactor'
    | 'staff.renewRecoveryCodes'
    | 'staff.resetSecondFactor';
  after?: object;
}

/** Actions that may have been someone else's, or were the operator's. */
const byOthers: PersonEvent['action'][] = ['staff.signInRefused', 'staff.secondStepRefused', 'staff.resetSecondFactor'];

/** Writes an entry in the audit log of each merchant that the person works for. */
export async function recordPersonEvent(
  db: Queries,
  { systemClock }: Services,
  { userId, action, after }: PersonEvent,
): Promise<void> {
  const { $rows } = auditPerson({
    person: userId,
    byPerson: !byOthers.includes(action),
    done: action,
    details: after ? JSON.stringify(after) : null,
    at: systemClock.now(),
  });
  await db.run(sql`select from ${$rows}`);
}

/** Records a refused sign-in. `userId` is null for an address without an account. Never throws. */
export async function recordRefusedSignIn(
  services: Services,
  { client }: Browser,
  { userId, reason }: { userId: string | null; reason: 'password' | 'throttled' },
): Promise<void> {
  const network = truncateAddress(client);
  const subject = userId ?? `nobody from ${network}`;
  try {
    const attempts = await countRefusal(services, `sign-in of ${subject}`);
    if (attempts === null) return;
    logSecurity('staff.sign_in_refused', { userId, reason, network, attempts });
    const event = { action: 'staff.signInRefused', after: { network, attempts } } as const;
    if (userId) await recordPersonEvent(services.db.pool, services, { userId, ...event });
  } catch {
    // Ignored: the sign-in is refused in any case, and a database failure is logged elsewhere.
  }
}

/** Records a refused second step, which means that someone knows the password. Never throws. */
export async function recordRefusedStep(
  services: Services,
  { client }: Browser,
  { userId, reason }: { userId: string; reason: 'proof' | 'throttled' },
): Promise<void> {
  const network = truncateAddress(client);
  try {
    const attempts = await countRefusal(services, `second step of ${userId}`);
    if (attempts === null) return;
    logSecurity('staff.second_step_refused', { userId, reason, network, attempts });
    const event = { action: 'staff.secondStepRefused', after: { network, attempts } } as const;
    await recordPersonEvent(services.db.pool, services, { userId, ...event });
  } catch {
    // Ignored: the step is refused in any case.
  }
}

const keyEvents = {
  'apiKey.refused': 'api_key.refused',
  'apiKey.refuseNetwork': 'api_key.network_refused',
  'apiKey.refuseScope': 'api_key.scope_refused',
} as const;

/**
 * Records that a merchant's key was refused: it has ended, its client's network is not allowed, or its scope does not
 * cover the operation. Records only the 1st, 10th, 100th and 1,000th of an hour, and returns whether it did. Never
 * throws, because the request is refused in any case.
 */
export async function recordRefusedKey(
  services: Services,
  { apiKeyId, merchant }: { apiKeyId: string; merchant: Merchant },
  action: keyof typeof keyEvents,
  facts: { network?: string; scope?: NeededScope } = {},
): Promise<boolean> {
  try {
    const attempts = await countRefusal(services, `${action} ${apiKeyId}`);
    if (attempts === null) return false;
    logSecurity(keyEvents[action], { apiKeyId, merchantId: merchant.id, network: null, ...facts, attempts });
    const { clock } = withMerchantClock(services, merchant);
    const subject = { kind: 'apiKey', id: apiKeyId };
    const after = { ...facts, attempts };
    await withMerchant(services.db, merchant.id, (tx) =>
      auditChange(tx, { kind: 'service', id: null }, action, subject, clock.now(), { after }),
    );
    return true;
  } catch {
    // Ignored: the request is refused in any case.
    return false;
  }
}

/** Logs a call (a procedure or an export) that the person's role does not permit. Never throws. */
export async function logRefusedRole(ctx: StaffContext, call: string): Promise<void> {
  const { userId, role } = ctx.staff;
  const attempts = await countRefusal(ctx, `role of ${userId}`).catch(() => null);
  if (attempts !== null)
    logSecurity('staff.role_refused', { userId, merchantId: ctx.merchant.id, role, call, attempts });
}

/** Logs unknown keys by the network of `client`. Never throws. */
export async function logUnknownKey(services: Services, client: string): Promise<void> {
  const attempts = await countRefusal(services, `keys from ${networkOf(client)}`).catch(() => null);
  if (attempts === null) return;
  logSecurity('api_key.refused', { apiKeyId: null, merchantId: null, network: truncateAddress(client), attempts });
}
