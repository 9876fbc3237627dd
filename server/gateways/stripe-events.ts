/** What Stripe's events, and our metadata on its objects, say of the payment that they are about. */
import Stripe from 'stripe';
import { z } from 'zod';
import type { AccountReport, MerchantPurpose, PaymentReport, Purpose } from '../domain/kernel/card-payments';
import type { Cell } from '../domain/kernel/cells';
import { uuid } from '../domain/kernel/schemas';

/** The names of the purposes' ids in metadata. */
const idNames = { topUp: 'topUpRequestId', billPayment: 'billPaymentId' } as const satisfies Record<
  Purpose['kind'],
  string
>;

/** What objects at Stripe say of their purpose. A router reads the cell from it. */
export const metadataOf = (
  { merchantId, purpose }: MerchantPurpose,
  cell: Cell | undefined,
): Record<string, string> => ({
  merchantId,
  [idNames[purpose.kind]]: purpose.id,
  ...(cell ? { cell: cell.name } : {}),
});

/** Whether a secret key moves money. */
export const isLiveKey = (key: string): boolean => /^(sk|rk)_live_/.test(key);

const ours = z.object({ merchantId: uuid, topUpRequestId: uuid.optional(), billPaymentId: uuid.optional() });

/** Reads what metadata say of a purpose; null if they are not ours. */
export function purposeIn(metadata: unknown): MerchantPurpose | null {
  const { data } = ours.safeParse(metadata);
  if (!data) return null;
  const { merchantId, topUpRequestId, billPaymentId } = data;
  if (billPaymentId !== undefined) return { merchantId, purpose: { kind: 'billPayment', id: billPaymentId } };
  return topUpRequestId === undefined ? null : { merchantId, purpose: { kind: 'topUp', id: topUpRequestId } };
}

/** An object that an event is about: a payment, or its checkout, refund, dispute or warning of fraud. */
const eventObject = z.object({
  object: z.string().optional().catch(undefined),
  id: z.string().optional().catch(undefined),
  payment_intent: z
    .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
    .nullish()
    .catch(null),
  metadata: z.unknown(),
});

/**
 * Returns which payment or connected account a webhook is about. Returns null for other events, such as tests in production, and
 * `forged` if no secret matches the signature. Refunds and disputes made at Stripe have no metadata of ours, only the payment's id.
 */
export function readStripeEvent(
  body: Buffer,
  signature: string | null,
  secrets: string[],
  secretKey: string | undefined,
): PaymentReport | AccountReport | null | 'forged' {
  const [event] = secrets.flatMap((secret) => signedEvent(body, signature, secret) ?? []);
  if (!event) return 'forged';
  if (event.livemode === !isLiveKey(secretKey ?? '')) return null;
  const { account: accountId = null, type } = event;
  const isOfAccount = type === 'account.updated' || type === 'account.application.deauthorized';
  if (isOfAccount) return accountId === null ? null : { changedAccountId: accountId };
  // Only ids are used, and the current state is fetched, because events come late, twice and unordered.
  const { data } = eventObject.safeParse(event.data.object);
  if (!data) return null;
  const { object, id, payment_intent, metadata } = data;
  const report = {
    told: purposeIn(metadata),
    paymentId: (object === 'payment_intent' ? id : payment_intent) ?? null,
    accountId,
    checkoutId: object === 'checkout.session' ? id : undefined,
    isOfDispute: object === 'dispute',
  };
  return report.told || report.paymentId !== null ? report : null;
}

function signedEvent(body: Buffer, signature: string | null, secret: string): Stripe.Event | null {
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? '', secret);
  } catch {
    return null;
  }
}
