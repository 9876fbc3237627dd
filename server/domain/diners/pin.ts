import { and, eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customerPins } from '@/db/schema';
import { type DinerCustomer, guessPin, lockCustomer, replacePin } from '../identity';
import { auditChange } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { consumeCode } from './codes';
import type { PinInput } from './schemas';

/** How long after a sign-in a first PIN needs no other proof. */
const freshMs = 10 * 60_000;

/**
 * Sets the PIN that a customer chose. A first PIN requires a recent sign-in; a change requires the old PIN or a fresh
 * code. A code also works while the PIN is locked. Errors: `code_required`, `code_invalid`, `code_expired`,
 * `pin_invalid`, `pin_locked`, `pin_not_set` if the old PIN no longer exists.
 */
export async function setPin(services: Services, diner: DinerCustomer, input: PinInput): Promise<void> {
  const { merchant, customerId } = diner;
  const refusal = await withMerchant(services.db, merchant.id, async (tx) => {
    await lockCustomer(tx, customerId);
    const now = services.clock.now();
    const refused = await checkProof(tx, services, { diner, input, now: services.systemClock.now() });
    if (refused) return refused;
    await replacePin(tx, services, { customerId, pin: input.pin, now, by: 'customer' });
    await auditChange(tx, { kind: 'diner', id: null }, 'customer.setPin', { kind: 'customer', id: customerId }, now);
    await announceChange(tx, 'customers');
    return null;
  });
  if (refusal) throw refusal;
}

/** Returns the refusal, to be thrown once the try is counted; null if the proof is right. */
async function checkProof(
  tx: Tx,
  services: Services,
  { diner, input, now }: { diner: DinerCustomer; input: PinInput; now: Date },
): Promise<DomainError | null> {
  const { customerId, verifiedAt, sessionId } = diner;
  if (input.code !== undefined) {
    return consumeCode(tx, services, { ...diner, device: sessionId }, { code: input.code, now });
  }
  if (input.oldPin !== undefined) return guessPin(tx, services, customerId, input.oldPin);
  const { merchantId, db } = tx;
  const [pin] = await db
    .select({ customerId: customerPins.customerId })
    .from(customerPins)
    .where(and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, customerId)));
  if (!pin && isFresh(verifiedAt, now)) return null;
  return new DomainError('code_required', say('codeRequired'));
}

/** True if the diner has just proved possession of the phone. */
export const isFresh = (verifiedAt: Date, now: Date): boolean => now.getTime() - verifiedAt.getTime() <= freshMs;
