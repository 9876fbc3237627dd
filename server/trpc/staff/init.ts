/** tRPC for the back office. Each procedure says which roles it is for; whoever is none of them is refused first. */
import { initTRPC, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { DomainError, type ErrorKind, type Issue } from '@/server/domain/core/errors';
import type { StaffContext } from '@/server/domain/staff/context';
import type { StaffRole } from '@/server/domain/staff/sign-in';

interface Request {
  /** Null for a stranger. */
  staff: StaffContext | null;
}

interface Meta {
  roles: readonly StaffRole[];
}

const t = initTRPC
  .context<Request>()
  .meta<Meta>()
  .create({
    errorFormatter: ({ shape, error }) => {
      const { cause } = error;
      const isOurs = cause instanceof DomainError;
      const isExpected = isOurs || error.code === 'UNAUTHORIZED' || error.code === 'BAD_REQUEST';
      return {
        ...shape,
        // Nothing internal is shown.
        message: isExpected ? messageOf(error) : 'Something went wrong on our side.',
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          reason: isOurs ? cause.code : null,
          details: isOurs ? cause.details : {},
          issues: issuesOf(cause),
        },
      };
    },
  });

const messageOf = ({ cause, message }: TRPCError) =>
  cause instanceof z.core.$ZodError ? 'The form is not filled in right.' : message;

/** Which fields are wrong, and why. */
function issuesOf(cause: unknown): Issue[] {
  if (cause instanceof DomainError) return cause.issues;
  if (cause instanceof z.core.$ZodError) {
    return cause.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  }
  return [];
}

const codes = {
  invalid: 'BAD_REQUEST',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  refused: 'CONFLICT',
  missing: 'NOT_FOUND',
  throttled: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ErrorKind, TRPCError['code']>;

export const { router, createCallerFactory } = t;

const refusals = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok && result.error.cause instanceof DomainError) {
    const { cause } = result.error;
    throw new TRPCError({ code: codes[cause.kind], message: cause.message, cause });
  }
  return result;
});

function procedureFor(...roles: StaffRole[]) {
  return t.procedure
    .meta({ roles })
    .use(refusals)
    .use(({ ctx: { staff }, next }) => {
      if (!staff) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Please sign in again.' });
      if (!roles.includes(staff.staff.role)) {
        throw new DomainError('role_forbidden', 'Your role does not allow this. Ask an owner of the business.');
      }
      return next({ ctx: staff });
    });
}

/** For everybody who works for the merchant. */
export const cashierProcedure = procedureFor('owner', 'manager', 'cashier');
export const managerProcedure = procedureFor('owner', 'manager');
export const ownerProcedure = procedureFor('owner');
