import { and, desc, eq, gt, type SQL } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { customers, messages } from '@/db/schema';
import {
  customerCondition,
  customerKey,
  customerNotFound,
  keptId,
  lockCustomer,
  maskPhone,
  randomPin,
  replacePin,
} from '../identity';
import { auditPos, auditStaff } from '../kernel/audit';
import type { PosContext, Services, StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { lockBalance } from '../ledger';
import { checkNamedStore } from '../merchants';
import { queueMessage } from '../messaging';
import type { ForgetPinInput } from './schemas';

const resetsAnHour = 3;
const hourMs = 60 * 60_000;

/**
 * Replaces the PIN with a new one, which is sent only to the customer's WhatsApp (specification, section 4.2: Customer
 * Forget PIN). The old PIN stops working at once. The count of wrong tries is cleared, but not the number of locks.
 * Errors: `customer_not_found`, `no_phone`, `pin_reset_too_often`.
 */
export async function forgetPin(ctx: PosContext, input: ForgetPinInput) {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  await checkNamedStore(ctx, input.storeCode);
  const { kind, key } = customerKey(ctx, input.customer);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { customerId, phone } = await sendNewPin(tx, ctx, customerCondition(kind, key));
    await auditPos(tx, ctx, 'customer.forgetPin', { kind: 'customer', id: customerId }, input);
    return { status: 'sent' as const, channel: 'whatsapp' as const, phone };
  });
}

/** Replaces the PIN on behalf of staff. */
export async function resetPin(ctx: StaffContext, { customerId }: { customerId: string }): Promise<SentPin> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockCustomer(tx, customerId);
    const { phone, lockedUntil } = await sendNewPin(tx, ctx, eq(customers.id, customerId));
    await auditStaff(tx, ctx, 'customer.resetPin', { kind: 'customer', id: customerId });
    return { phone, lockedUntil };
  });
}

interface SentPin {
  /** The phone that got the PIN, masked. */
  phone: string;
  /** After many wrong tries, the new PIN is refused until then. */
  lockedUntil: Date | null;
}

async function sendNewPin(
  tx: Tx,
  services: Services,
  condition: SQL | undefined,
): Promise<SentPin & { customerId: string }> {
  const { merchantId, db } = tx;
  const find = () =>
    db
      .select({ id: customers.id, phone: customers.phone })
      .from(customers)
      .where(
        and(
          eq(customers.merchantId, merchantId),
          eq(
            customers.id,
            db
              .select({ id: keptId })
              .from(customers)
              .where(and(eq(customers.merchantId, merchantId), condition)),
          ),
        ),
      );
  const [found] = await find();
  if (!found) throw customerNotFound();
  if (found.phone === null) throw new DomainError('no_phone', say('noPhone'));
  only(await lockBalance(tx, found.id));
  // At this moment the customer was merged into another, who gets the PIN, or a merge was undone.
  const [current] = await find();
  if (current?.id !== found.id) return sendNewPin(tx, services, condition);
  // Read while holding the lock, so that of several concurrent requests, the last message has the valid PIN.
  const now = services.clock.now();
  const recent = await db
    .select({ sentAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        eq(messages.merchantId, merchantId),
        eq(messages.customerId, found.id),
        eq(messages.kind, 'pin'),
        gt(messages.createdAt, new Date(now.getTime() - hourMs)),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(resetsAnHour);
  const oldest = recent[resetsAnHour - 1];
  if (oldest) throw tooOften(oldest.sentAt, now);
  const pin = randomPin();
  const lockedUntil = await replacePin(tx, services, { customerId: found.id, pin, now, by: 'others' });
  await queueMessage(tx, services, { recipient: { customerId: found.id }, kind: 'pin', secret: pin, now });
  return { customerId: found.id, phone: maskPhone(found.phone), lockedUntil };
}

function tooOften(oldest: Date, now: Date): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + hourMs - now.getTime()) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new DomainError('pin_reset_too_often', say('pinResetTooOften', { minutes }), { retryAfterSeconds });
}
