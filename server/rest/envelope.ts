/** Every error of the REST API in its one shape; nothing internal gets out. */
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { isUnavailable } from '@/db/client';
import { DomainError, type ErrorKind, type Issue } from '@/server/domain/core/errors';

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

/** The answer to whatever was thrown. */
export function errorReply(thrown: unknown, requestId: string): ErrorReply {
  const error = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof DomainError) return reply(statusOfKind[error.kind], error, requestId);
  if (error instanceof ZodError && thrown instanceof TRPCError && thrown.code === 'BAD_REQUEST') {
    const issues = error.issues.flatMap(toIssues);
    const message = `The request is not valid: ${issues.map(describe).slice(0, 3).join('; ')}.`;
    return reply(400, new DomainError('invalid_request', message, {}, issues), requestId);
  }
  if (isUnavailable(error)) {
    const message = 'The service can not answer now. Send the same request again.';
    return { ...reply(503, new DomainError('service_unavailable', message), requestId), fault: error };
  }
  const body = {
    code: 'internal_error',
    message: 'Something went wrong on our side.',
    requestId,
    details: {},
    issues: [],
  };
  return { status: 500, code: body.code, body: JSON.stringify({ error: body }), fault: error };
}

function reply(status: number, error: DomainError, requestId: string): ErrorReply {
  const { code, message, details, issues } = error;
  const retryAfter = details.retryAfterSeconds;
  return {
    status,
    code,
    body: JSON.stringify({ error: { code, message, requestId, details, issues } }),
    ...(status === 503 ? { retryAfterSeconds: 1 } : {}),
    ...(status === 429 && typeof retryAfter === 'number' ? { retryAfterSeconds: retryAfter } : {}),
  };
}

type ZodIssue = ZodError['issues'][number];

/** One line for each bad field: also for those that should not be there, each by its own name. */
function toIssues(issue: ZodIssue): Issue[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: sayWhy(issue) }];
  return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: 'is not a field of this request' }));
}

function sayWhy(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue.message);
    case 'too_small':
      return `must ${measure(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${measure(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return formats[issue.format] ?? issue.message;
    default:
      return issue.message;
  }
}

const formats: Record<string, string> = {
  datetime: 'must be a time with its offset, like 2026-11-20T19:42:00+08:00',
  date: 'must be a date, like 1990-05-17',
  email: 'is not a valid e-mail address',
  uuid: 'is not a valid id',
};

/** Numbers are measured by their value, texts by characters, lists by items. */
function measure(origin: string, bound: string, limit: number): string {
  const units: Record<string, string> = { string: 'character', array: 'item' };
  const unit = units[origin];
  return unit ? `have ${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}` : `be ${bound} ${limit}`;
}

function typeMessage(message: string): string {
  const [, expected, received] = /expected (\w+), received (\w+)/.exec(message) ?? [];
  if (received === 'undefined') return 'is required';
  const type = expected === 'int' ? 'an integer' : `${expected && /^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
  return `must be ${type}`;
}

const describe = ({ path, message }: Issue) => (path ? `${path} ${message}` : message);
