/** tRPC for the back office. Each procedure names the roles that may call it. Others are refused before it runs. */
import { initTRPC, TRPCError } from '@trpc/server';
import { logRefusedRole, requireDemandedFactor } from '@/server/domain/access';
import { requireConfirmed } from '@/server/domain/kernel/confirmed';
import type { StaffContext, StaffRole } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { ensureAllStores } from '@/server/domain/kernel/own-stores';
import { say } from '@/server/domain/kernel/say';
import { formatError, runProcedure } from '../refusals';

interface Request {
  /** Null if no one is signed in. */
  staff: StaffContext | null;
  /** Reads the user's current access, for long-running calls. */
  reloadStaff: () => Promise<StaffContext | null>;
}

interface Meta {
  roles: readonly StaffRole[];
  /** True for what all stores share. Staff of named stores are refused. */
  isOfAllStores?: boolean;
  /** True for a dangerous change: 15 minutes after the last proof of who is there, it requires another. */
  isSensitive?: boolean;
}

const t = initTRPC
  .context<Request>()
  .meta<Meta>()
  .create({
    sse: {
      // Reveals dead clients, and keeps proxies from closing a silent stream.
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter: formatError,
  });

export const { router, createCallerFactory } = t;

const logRefusals = t.middleware(async ({ ctx: { staff }, path, next }) => {
  const result = await next();
  const cause = result.ok ? null : result.error.cause;
  if (staff && cause instanceof DomainError && cause.code === 'role_forbidden') await logRefusedRole(staff, path);
  return result;
});

const convertErrors = t.middleware(({ path, next }) => runProcedure(path, next));

export const signedOut = () => new TRPCError({ code: 'UNAUTHORIZED', message: 'Please sign in again.' });

function procedureFor(roles: StaffRole[], { isOfAllStores = false, isSensitive = false } = {}) {
  return t.procedure
    .meta({ roles, isOfAllStores, isSensitive })
    .use(logRefusals)
    .use(convertErrors)
    .use(({ ctx: { staff }, next }) => {
      if (!staff) throw signedOut();
      if (!roles.includes(staff.staff.role)) {
        throw new DomainError('role_forbidden', say('roleForbidden'));
      }
      requireDemandedFactor(staff);
      if (isOfAllStores) ensureAllStores(staff);
      if (isSensitive) requireConfirmed(staff, staff.staff);
      return next({ ctx: staff });
    });
}

/** For everyone who works for the merchant. */
export const cashierProcedure = procedureFor(['owner', 'manager', 'cashier']);
export const managerProcedure = procedureFor(['owner', 'manager']);
/** For managers who work for all stores, because what they change, see or send concerns all of them. */
export const generalManagerProcedure = procedureFor(['owner', 'manager'], { isOfAllStores: true });
/** For owners, who work for all stores. */
export const ownerProcedure = procedureFor(['owner'], { isOfAllStores: true });
/** For owners with a recent proof of who they are: keys, staff and roles. */
export const sensitiveProcedure = procedureFor(['owner'], { isOfAllStores: true, isSensitive: true });
