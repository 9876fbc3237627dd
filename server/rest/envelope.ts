/** Every error of the REST API in its one shape; nothing internal gets out. */
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { isUnavailable } from '@/db/client';
import { DomainError, type ErrorKind, type Issue } from '@/server/domain/core/errors';
import { inEnglish } from '@/server/domain/core/in-english';
import { say, verbatim } from '@/server/domain/core/say';
import { issuesOf } from '@/server/domain/core/say-why';

export const statusOfKind: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  refused: 402,
  forbidden: 403,
  missing: 404,
  throttled: 429,
  unavailable: 503,
};

export interface ErrorReply {
  status: number;
  code: string;
  body: string;
  retryAfterSeconds?: number;
  /** A fault of ours, to be logged. */
  fault?: unknown;
}

/** Bad fields in the message; `issues` has more. */
const mostTold = 3;
const mostIssues = 100;

/** The answer to whatever was thrown. */
export function errorReply(thrown: unknown, requestId: string): ErrorReply {
  const error = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof DomainError) return reply(statusOfKind[error.kind], error, requestId);
  if (error instanceof ZodError && thrown instanceof TRPCError && thrown.code === 'BAD_REQUEST') {
    const issues = issuesOf(error.issues);
    const more = issues.length > mostTold ? `; and ${issues.length - mostTold} more` : '';
    const message = `The request is not valid: ${issues.slice(0, mostTold).map(describe).join('; ')}${more}.`;
    return reply(
      400,
      new DomainError('invalid_request', verbatim(message), {}, issues.slice(0, mostIssues)),
      requestId,
    );
  }
  if (isUnavailable(error)) {
    const refusal = new DomainError('service_unavailable', say('serviceUnavailable'));
    return { ...reply(503, refusal, requestId), fault: error };
  }
  const body = {
    code: 'internal_error',
    message: inEnglish(say('ourFault')),
    requestId,
    details: {},
    issues: [],
  };
  return { status: 500, code: body.code, body: JSON.stringify({ error: body }), fault: error };
}

function reply(status: number, error: DomainError, requestId: string): ErrorReply {
  const { code, message, details } = error;
  const issues = error.issues.map(({ path, sentence }) => ({ path, message: inEnglish(sentence) }));
  const retryAfter = details.retryAfterSeconds;
  return {
    status,
    code,
    body: JSON.stringify({ error: { code, message, requestId, details, issues } }),
    ...(status === 503 ? { retryAfterSeconds: 1 } : {}),
    ...(status === 429 && typeof retryAfter === 'number' ? { retryAfterSeconds: retryAfter } : {}),
  };
}

const describe = ({ path, sentence }: Issue) => `${path} ${inEnglish(sentence)}`.trimStart();
