import type { Attempt } from './outcome';

/** What every completed transaction's answer begins with. */
export function answerHeader({ ctx, input, now, occurredAt }: Attempt) {
  return {
    transactionId: input.transactionId,
    status: 'completed' as const,
    currency: ctx.merchant.currency,
    occurredAt: occurredAt.toISOString(),
    createdAt: now.toISOString(),
  };
}
