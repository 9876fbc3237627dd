/** tRPC for accounts: procedures for strangers, and for people about themselves, across all merchants. */
import { initTRPC, TRPCError } from '@trpc/server';
import { type Browser, findWaitingSession, type SessionCookie, type Staff } from '@/server/domain/access';
import { requireConfirmed } from '@/server/domain/kernel/confirmed';
import type { Services } from '@/server/domain/kernel/context';
import { formatError, runProcedure } from '../refusals';

interface Request {
  services: Services;
  browser: Browser;
  /** Null if no one is signed in. */
  person: Staff | null;
  /** The session's cookie. The session may still wait for the second step. */
  cookie: SessionCookie | null;
}

const t = initTRPC.context<Request>().create({ errorFormatter: formatError });

export const { router, createCallerFactory } = t;

/** For everyone. */
export const visitorProcedure = t.procedure.use(({ path, next }) => runProcedure(path, next));

const signedOut = () => new TRPCError({ code: 'UNAUTHORIZED', message: 'Please sign in again.' });

/** For people whose sign-in waits for the second step. */
export const waitingProcedure = visitorProcedure.use(async ({ ctx: { services, cookie }, next }) => {
  const waiting = cookie && (await findWaitingSession(services, cookie));
  if (!waiting) throw signedOut();
  return next({ ctx: { waiting } });
});

/** For signed-in people. */
export const personProcedure = visitorProcedure.use(({ ctx: { person }, next }) => {
  if (!person) throw signedOut();
  return next({ ctx: { person } });
});

/** For people who proved within the last 15 minutes who they are. */
export const confirmedProcedure = personProcedure.use(({ ctx: { services, person }, next }) => {
  requireConfirmed(services, person);
  return next();
});
