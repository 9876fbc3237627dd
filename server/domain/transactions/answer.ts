import type { ErrorCode } from '../core/errors';
import type { Sentence } from '../core/say';
import type { Recordable } from './record';

/** What every completed transaction's answer begins with. */
export function answerHeader({ ctx, input, now, occurredAt }: Recordable) {
  return {
    transactionId: input.transactionId,
    status: 'completed' as const,
    currency: ctx.merchant.currency,
    occurredAt: occurredAt.toISOString(),
    createdAt: now.toISOString(),
  };
}

/** What is kept of a refusal, to answer it again. */
export interface RefusalAnswer {
  code: ErrorCode;
  /** As the POS was told, and is told again. */
  message: string;
  /** For staff; refusals that are older have none. */
  sentence?: Sentence;
  details: Record<string, unknown>;
}

/** Whether a kept answer is a refusal's, rather than a completed operation's. */
export const isRefusal = (answer: object | null): answer is RefusalAnswer =>
  answer !== null && 'code' in answer && 'details' in answer;
