/** tRPC for the back office. Each procedure says which roles it is for; any other is refused first. */
import { initTRPC, TRPCError } from '@trpc/server';
import type { StaffContext, StaffRole } from '@/server/domain/core/context';
import { DomainError } from '@/server/domain/core/errors';
import { say } from '@/server/domain/core/say';
import { asRefusal, formatError } from '../refusals';

interface Request {
  /** Null for a stranger. */
  staff: StaffContext | null;
  /** Who asks as of now, for what goes on for long. */
  lookAgain: () => Promise<StaffContext | null>;
}

interface Meta {
  roles: readonly StaffRole[];
}

const t = initTRPC
  .context<Request>()
  .meta<Meta>()
  .create({
    sse: {
      // Proxies and dead clients are noticed by silence.
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter: formatError,
  });

export const { router, createCallerFactory } = t;

const refusals = t.middleware(async ({ next }) => asRefusal(await next()));

export const signedOut = () => new TRPCError({ code: 'UNAUTHORIZED', message: 'Please sign in again.' });

function procedureFor(...roles: StaffRole[]) {
  return t.procedure
    .meta({ roles })
    .use(refusals)
    .use(({ ctx: { staff }, next }) => {
      if (!staff) throw signedOut();
      if (!roles.includes(staff.staff.role)) {
        throw new DomainError('role_forbidden', say('roleForbidden'));
      }
      return next({ ctx: staff });
    });
}

/** For everybody who works for the merchant. */
export const cashierProcedure = procedureFor('owner', 'manager', 'cashier');
export const managerProcedure = procedureFor('owner', 'manager');
export const ownerProcedure = procedureFor('owner');
