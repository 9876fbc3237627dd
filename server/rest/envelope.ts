/** Formats every error of the REST API in one shape, without internals. */

import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { isBeingMoved, isUnavailable } from '@/db/driver';
import { issuesOf } from '@/server/domain/kernel/describe-failure';
import { DomainError, type ErrorKind, type Issue } from '@/server/domain/kernel/errors';
import { inEnglish } from '@/server/domain/kernel/in-english';
import { say, verbatim } from '@/server/domain/kernel/say';

export const statusByKind: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  refused: 402,
  forbidden: 403,
  missing: 404,
  moved: 308,
  throttled: 429,
  unavailable: 503,
};

export interface ErrorReply {
  status: number;
  code: string;
  body: string;
  retryAfterSeconds?: number;
  /** The base address at which to repeat the request. */
  movedTo?: string;
  /** An unexpected error, to be logged. */
  fault?: unknown;
}

/** How many invalid fields the message names. `issues` lists them all. */
const maxIssuesInMessage = 3;
const maxIssues = 100;

/** Builds the response to any thrown value. */
export function toErrorReply(thrown: unknown, requestId: string): ErrorReply {
  const error = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof DomainError) return reply(statusByKind[error.kind], error, requestId);
  if (error instanceof ZodError && thrown instanceof TRPCError && thrown.code === 'BAD_REQUEST') {
    const issues = issuesOf(error.issues);
    const more = issues.length > maxIssuesInMessage ? `; and ${issues.length - maxIssuesInMessage} more` : '';
    const message = `The request is not valid: ${issues.slice(0, maxIssuesInMessage).map(describeIssue).join('; ')}${more}.`;
    return reply(400, new DomainError('invalid_request', verbatim(message), {}, issues.slice(0, maxIssues)), requestId);
  }
  if (isBeingMoved(error)) return reply(503, new DomainError('service_unavailable', say('merchantMoving')), requestId);
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
  const { retryAfterSeconds: retryAfter, baseUrl } = details;
  return {
    status,
    code,
    body: JSON.stringify({ error: { code, message, requestId, details, issues } }),
    ...(status === 308 && typeof baseUrl === 'string' ? { movedTo: baseUrl } : {}),
    ...(status === 503 ? { retryAfterSeconds: 1 } : {}),
    ...(status === 429 && typeof retryAfter === 'number' ? { retryAfterSeconds: retryAfter } : {}),
  };
}

const describeIssue = ({ path, sentence }: Issue) => `${path} ${inEnglish(sentence)}`.trimStart();
