import { limitToStores } from '@/db/driver';
import type { Services, StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { findMerchant, withMerchantClock } from '../merchants';
import type { Staff } from './sessions';

type Person = Omit<Staff, 'sessionId'>;

/**
 * Builds the context of a signed-in person. With `merchantId`, the merchant that the page shows, returns null if the
 * person is not a member: an open page must never act for another merchant. Without it, uses the person's first
 * merchant. For staff of named stores, the context's database hides other stores' rows. Errors:
 * `second_factor_required` if the merchant demands a second factor by now and the person has none.
 */
export async function staffContext(
  services: Services,
  person: Person,
  merchantId?: string | null,
): Promise<StaffContext | null> {
  const ctx = await memberContext(services, person, merchantId);
  if (ctx) requireDemandedFactor(ctx);
  return ctx;
}

/**
 * Like `staffContext`, but accepts a person who lacks a second factor. For the frame of pages, which asks for one, and
 * for procedures, which all require it themselves.
 */
export async function memberContext(
  services: Services,
  person: Person,
  merchantId?: string | null,
): Promise<StaffContext | null> {
  const membership = membershipOf(person, merchantId);
  if (!membership) return null;
  const merchant = await findMerchant(services, membership.merchantId);
  if (!merchant) return null;
  const { userId, name, email, confirmedAt } = person;
  const { role, storeIds, secondFactorFrom } = membership;
  const db = storeIds === null ? services.db : limitToStores(services.db, storeIds);
  const staff = { userId, name, email, role, storeIds, confirmedAt, secondFactorFrom };
  return { ...withMerchantClock(services, merchant), db, merchant, staff };
}

/** True if the merchant demands a second factor by now and the person has none. */
export const lacksDemandedFactor = ({ staff: { secondFactorFrom }, systemClock }: StaffContext): boolean =>
  secondFactorFrom !== null && secondFactorFrom <= systemClock.now();

/** Errors: `second_factor_required` if the merchant demands a second factor by now and the person has none. */
export function requireDemandedFactor(ctx: StaffContext): void {
  if (lacksDemandedFactor(ctx)) throw new DomainError('second_factor_required', say('secondFactorDemanded'));
}

function membershipOf({ memberships }: Pick<Staff, 'memberships'>, merchantId?: string | null) {
  return merchantId ? memberships.find((one) => one.merchantId === merchantId) : memberships[0];
}
