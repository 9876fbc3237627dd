/** tRPC for accounts: what a stranger may ask, and what a person may about themselves, whichever merchants they work for. */
import { initTRPC, TRPCError } from '@trpc/server';
import type { Services } from '@/server/domain/core/context';
import type { Staff } from '@/server/domain/staff/sign-in';
import { asRefusal, formatError } from '../refusals';

interface Request {
  services: Services;
  /** The network address of the caller. */
  client: string;
  /** Null for a stranger. */
  person: Staff | null;
}

const t = initTRPC.context<Request>().create({ errorFormatter: formatError });

export const { router, createCallerFactory } = t;

/** For everybody. */
export const visitorProcedure = t.procedure.use(async ({ next }) => asRefusal(await next()));

/** For people who are signed in. */
export const personProcedure = visitorProcedure.use(({ ctx: { person }, next }) => {
  if (!person) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Please sign in again.' });
  return next({ ctx: { person } });
});
