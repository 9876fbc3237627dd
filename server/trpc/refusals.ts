/** How a refusal reaches a screen: the domain's errors as tRPC's, with nothing internal in them. */

import type { TRPCDefaultErrorShape } from '@trpc/server';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Services } from '@/server/domain/core/context';
import { DomainError, type ErrorKind, type Issue } from '@/server/domain/core/errors';
import { inEnglish } from '@/server/domain/core/in-english';
import { limitRate, type Rate } from '@/server/domain/core/rate-limit';
import { type Sentence, say, verbatim } from '@/server/domain/core/say';
import { issuesOf } from '@/server/domain/core/say-why';

const codes = {
  invalid: 'BAD_REQUEST',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  refused: 'CONFLICT',
  missing: 'NOT_FOUND',
  throttled: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ErrorKind, TRPCError['code']>;

/** A procedure's result, with a domain's error under tRPC's code for its kind. */
export function asRefusal<Result extends { ok: true } | { ok: false; error: TRPCError }>(result: Result): Result {
  if (!result.ok && result.error.cause instanceof DomainError) throw refusal(result.error.cause);
  return result;
}

const refusal = (cause: DomainError) => new TRPCError({ code: codes[cause.kind], message: cause.message, cause });

/** Whether it is for us to look at. What an event stream refuses as it begins has tRPC's code of a fault, and is none. */
export const isFault = ({ code, cause }: TRPCError): boolean =>
  code === 'INTERNAL_SERVER_ERROR' && !(cause instanceof DomainError);

/** Counts what is asked, each under its own limit, before anything of it is done. */
export async function countCalls(services: Services, counted: { bucket: string; rate: Rate }[]): Promise<void> {
  await Promise.all(counted.map(({ bucket, rate }) => limitRate(services, bucket, rate))).catch((error) => {
    throw error instanceof DomainError ? refusal(error) : error;
  });
}

/** Says with an answer when to ask again, where a limit refused it. */
export function retryAfter({ errors }: { errors: TRPCError[] }): { headers?: Record<string, string> } {
  const waits = errors.flatMap(({ cause }) =>
    cause instanceof DomainError && cause.kind === 'throttled' ? [Number(cause.details.retryAfterSeconds)] : [],
  );
  return waits.length > 0 ? { headers: { 'retry-after': String(Math.max(...waits)) } } : {};
}

/**
 * The error as a client reads it: `reason` is the domain's code, `sentence` what to say of it, `issues` which fields are
 * wrong.
 */
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
      issues: wrongFieldsOf(cause),
    },
  };
}

function sentenceOf({ cause, code, message }: TRPCError): Sentence {
  if (cause instanceof DomainError) return cause.sentence;
  if (cause instanceof z.core.$ZodError) return say('formNotRight');
  return code === 'UNAUTHORIZED' || code === 'BAD_REQUEST' ? verbatim(message) : say('ourFault');
}

/** Which fields are wrong, and why. */
function wrongFieldsOf(cause: unknown): Issue[] {
  if (cause instanceof DomainError) return cause.issues;
  return cause instanceof z.core.$ZodError ? issuesOf(cause.issues) : [];
}
