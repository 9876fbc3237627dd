/** tRPC for accounts: procedures for strangers, and for people about themselves, whichever merchants they work for. */
import { initTRPC, TRPCError } from '@trpc/server';
import type { Browser, Staff } from '@/server/domain/access';
import type { Services } from '@/server/domain/kernel/context';
import { formatError, toTrpcError } from '../refusals';

interface Request {
  services: Services;
  browser: Browser;
  /** Null if no one is signed in. */
  person: Staff | null;
}

const t = initTRPC.context<Request>().create({ errorFormatter: formatError });

export const { router, createCallerFactory } = t;

/** For everyone. */
export const visitorProcedure = t.procedure.use(async ({ next }) => toTrpcError(await next()));

/** For signed-in people. */
export const personProcedure = visitorProcedure.use(({ ctx: { person }, next }) => {
  if (!person) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Please sign in again.' });
  return next({ ctx: { person } });
});
