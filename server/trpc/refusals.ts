/** Converts the domain's errors, and those of a database that is away, to tRPC's, without internals. */

import { type TRPCDefaultErrorShape, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { isBeingMoved, isUnavailable } from '@/db/driver';
import type { Services } from '@/server/domain/kernel/context';
import { issuesOf } from '@/server/domain/kernel/describe-failure';
import { DomainError, type ErrorKind, type Issue } from '@/server/domain/kernel/errors';
import { inEnglish } from '@/server/domain/kernel/in-english';
import { type Sentence, say, verbatim } from '@/server/domain/kernel/say';
import { inSpan } from '@/server/observe/spans';
import { limitRate, type Rate } from '../domain/limits';

const codes = {
  invalid: 'BAD_REQUEST',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  refused: 'CONFLICT',
  missing: 'NOT_FOUND',
  // Only API keys get it, before a procedure is called.
  moved: 'NOT_FOUND',
  throttled: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ErrorKind, TRPCError['code']>;

type Result = { ok: true } | { ok: false; error: TRPCError };

/** Runs a procedure in a span. Returns its result, or throws its error under tRPC's code for the kind. */
export const runProcedure = <R extends Result>(path: string, next: () => Promise<R>): Promise<R> =>
  inSpan(path, async () => {
    const result = await next();
    if (!result.ok) throwAsTrpcError(result.error);
    return result;
  });

/** Throws a domain error, or that of a database that is away, under tRPC's code for its kind; any other as it is. */
export function throwAsTrpcError(error: unknown): never {
  const thrown = error instanceof TRPCError ? error.cause : error;
  const cause = isBeingMoved(thrown) ? new DomainError('service_unavailable', say('merchantMoving')) : thrown;
  if (cause instanceof DomainError) throw new TRPCError({ code: codes[cause.kind], message: cause.message, cause });
  if (isUnavailable(cause)) throw new TRPCError({ code: codes.unavailable, message: 'unavailable', cause });
  throw error;
}

/** True for what an operator should see. tRPC reports a DomainError at stream start as a 500. */
export const isFault = ({ code, cause }: TRPCError): boolean =>
  (code === 'INTERNAL_SERVER_ERROR' || code === codes.unavailable) && !(cause instanceof DomainError);

/** Counts a call against each of its limits before it is executed. */
export async function countCalls(services: Services, limits: { bucket: string; rate: Rate }[]): Promise<void> {
  await Promise.all(limits.map(({ bucket, rate }) => limitRate(services, bucket, rate))).catch(throwAsTrpcError);
}

/** Adds `Retry-After` to a response that a rate limit or a database that is away refused. */
export function retryAfter({ errors }: { errors: TRPCError[] }): { headers?: Record<string, string> } {
  const delays = errors.flatMap(({ code, cause }) => {
    if (code === codes.unavailable) return [1];
    return cause instanceof DomainError && cause.kind === 'throttled' ? [Number(cause.details.retryAfterSeconds)] : [];
  });
  return delays.length > 0 ? { headers: { 'retry-after': String(Math.max(...delays)) } } : {};
}

/** Formats an error for clients: `reason` is the domain's code, `issues` lists the invalid fields. */

export function formatError({ shape, error }: { shape: TRPCDefaultErrorShape; error: TRPCError }) {
  const { cause } = error;
  const isOurs = cause instanceof DomainError;
  const sentence = sentenceOf(error);
  return {
    ...shape,
    message: inEnglish(sentence),
    data: {
      code: shape.data.code,
      httpStatus: shape.data.httpStatus,
      reason: isOurs ? cause.code : null,
      sentence,
      details: isOurs ? cause.details : {},
      issues: readIssues(cause),
    },
  };
}

function sentenceOf({ cause, code, message }: TRPCError): Sentence {
  if (cause instanceof DomainError) return cause.sentence;
  if (cause instanceof z.core.$ZodError) return say('formNotRight');
  if (code === codes.unavailable) return say('inAMoment');
  return code === 'UNAUTHORIZED' || code === 'BAD_REQUEST' ? verbatim(message) : say('ourFault');
}

/** Returns the invalid fields with their messages. */
function readIssues(cause: unknown): Issue[] {
  if (cause instanceof DomainError) return cause.issues;
  return cause instanceof z.core.$ZodError ? issuesOf(cause.issues) : [];
}
