/** tRPC for diners' phones. A code's token identifies a table; a session cookie identifies an account. */
import { initTRPC, TRPCError } from '@trpc/server';
import type { DinerCookie } from '@/server/auth/diner-cookie';
import { customerNotFound, type Diner, type DinerCustomer, findDiner } from '@/server/domain/identity';
import type { Merchant, Services } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { say } from '@/server/domain/kernel/say';
import { findMerchant, withMerchantClock } from '@/server/domain/merchants';
import { openTableOf, scannedTableOf } from '@/server/domain/qr-ordering';
import { formatError, runProcedure } from '../refusals';

interface DinerRequest {
  services: Services;
  /** The network address of the caller. */
  client: string;
  /** The token from the URL of the table's code; null if the request is not about a table. */
  tableToken: string | null;
  /** The merchant of the account; null if the request is not about one. */
  merchantId: string | null;
  session: DinerCookie;
}

const t = initTRPC.context<DinerRequest>().create({
  sse: {
    // Reveals dead clients, and keeps proxies from closing a silent stream.
    ping: { enabled: true, intervalMs: 15_000 },
    client: { reconnectAfterInactivityMs: 40_000 },
  },
  errorFormatter: formatError,
});

export const { router, createCallerFactory } = t;

const procedure = t.procedure.use(({ path, next }) => runProcedure(path, next));

/** For any token, even an invalid one: the use case decides what it opens. */
export const tableProcedure = procedure.use(({ ctx: { tableToken, client }, next }) =>
  next({ ctx: { visit: { token: tableToken ?? '', client } } }),
);

/** For phones at a table whose code is open. Errors: those of `openTableOf`. */
export const openTableProcedure = tableProcedure.use(async ({ ctx: { services, visit }, next }) => {
  const table = await openTableOf(services, visit);
  return next({ ctx: { table, services: withMerchantClock(services, table.merchant) } });
});

/** For phones at a table whose code may be closed. Errors: those of `scannedTableOf`. */
export const scannedTableProcedure = tableProcedure.use(async ({ ctx: { services, visit }, next }) => {
  const table = await scannedTableOf(services, visit);
  return next({ ctx: { table, services: withMerchantClock(services, table.merchant) } });
});

/** For customers of the table's merchant who are signed in on this phone. Errors: those of `customerProcedure`, too. */
export const tableCustomerProcedure = openTableProcedure.use(async ({ ctx: { services, table, session }, next }) =>
  next({ ctx: { diner: customerOf(await signedIn(services, table.merchant, session)) } }),
);

/** The same for a code that may be closed. */
export const scannedCustomerProcedure = scannedTableProcedure.use(async ({ ctx: { services, table, session }, next }) =>
  next({ ctx: { diner: customerOf(await signedIn(services, table.merchant, session)) } }),
);

/** For visitors of a merchant's account page. Errors: `merchant_not_found`. */
export const visitorProcedure = procedure.use(async ({ ctx: { services, merchantId, client, session }, next }) => {
  const merchant = await findMerchant(services, merchantId);
  if (!merchant) throw new DomainError('merchant_not_found', say('merchantNotFound'));
  const visitor = { merchant, client, device: session.device };
  return next({ ctx: { merchant, visitor, services: withMerchantClock(services, merchant) } });
});

/** For diners who are signed in with the merchant on this phone. */
export const dinerProcedure = visitorProcedure.use(async ({ ctx: { services, merchant, session }, next }) =>
  next({ ctx: { diner: await signedIn(services, merchant, session) } }),
);

/** For diners who have also joined the programme. */
export const customerProcedure = dinerProcedure.use(({ ctx: { diner }, next }) =>
  next({ ctx: { diner: customerOf(diner) } }),
);

/** The customer who is signed in with the merchant on this phone; null if signed out. */
export async function signedInCustomerOf(
  services: Services,
  merchant: Merchant,
  session: DinerCookie,
): Promise<string | null> {
  const diner = await findDiner(services, merchant, session.read(merchant.id));
  return diner?.customerId ?? null;
}

async function signedIn(services: Services, merchant: Merchant, session: DinerCookie): Promise<Diner> {
  const diner = await findDiner(services, merchant, session.read(merchant.id));
  if (!diner) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Please sign in again.' });
  return diner;
}

function customerOf({ customerId, ...diner }: Diner): DinerCustomer {
  if (customerId === null) throw customerNotFound();
  return { ...diner, customerId };
}
