/** tRPC for the back office. Every procedure needs a signed-in member of staff. */
import { initTRPC, TRPCError } from '@trpc/server';
import { DomainError } from '@/server/domain/core/errors';
import type { StaffContext } from '@/server/domain/staff/context';

interface Request {
  /** Null for a stranger. */
  staff: StaffContext | null;
}

const t = initTRPC.context<Request>().create({
  errorFormatter: ({ shape, error }) => {
    const { cause } = error;
    const isOurs = cause instanceof DomainError;
    const isExpected = isOurs || error.code === 'UNAUTHORIZED' || error.code === 'BAD_REQUEST';
    return {
      ...shape,
      // Nothing internal is shown.
      message: isExpected ? error.message : 'Something went wrong on our side.',
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, reason: isOurs ? cause.code : null },
    };
  },
});

export const router = t.router;

export const staffProcedure = t.procedure.use(({ ctx, next }) => {
  if (!ctx.staff) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Please sign in again.' });
  return next({ ctx: ctx.staff });
});
