import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { cookies } from 'next/headers';
import { isSameOrigin } from '@/server/auth/own-page';
import { readStaffSession, type StaffSession } from '@/server/auth/session';
import { memberContext } from '@/server/domain/access';
import { processLog, safeError } from '@/server/observe/log';
import { getServices } from '@/server/process/services';
import { countCalls, isFault, retryAfter, throwAsTrpcError } from '@/server/trpc/refusals';
import { boundRequest, tooLarge } from '@/server/trpc/staff/bounded-request';
import { maxBatchSize, merchantHeader } from '@/server/trpc/staff/merchant-header';
import { staffRouter } from '@/server/trpc/staff/router';

/** Per person: enough for several open screens that each make a dozen calls at once. */
const ofPerson = { perSecond: 50, burst: 300 };

/** True also without the database: the call itself then fails as any other does, in a form that screens read. */
const isSignedIn = async (): Promise<boolean> =>
  readStaffSession(await cookies()).then(
    (session) => session !== null,
    () => true,
  );

async function serve(request: Request): Promise<Response> {
  // GET changes nothing, and changes must come from our own pages.
  if (request.method !== 'GET' && !isSameOrigin(request)) {
    return Response.json({ error: { message: 'This request did not come from our own page.' } }, { status: 403 });
  }
  const bounded = await boundRequest(request, isSignedIn);
  if (!bounded) return tooLarge();
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: bounded,
    router: staffRouter,
    allowMethodOverride: true,
    maxBatchSize,
    createContext: async ({ info }) => {
      const jar = await cookies();
      // An event stream can't send headers of its own.
      const merchantId = request.headers.get(merchantHeader) ?? info.connectionParams?.merchantId;
      const staffOf = (person: StaffSession | null) =>
        person && merchantId ? memberContext(getServices(), person, merchantId) : null;
      const person = await readStaffSession(jar).catch(throwAsTrpcError);
      if (person) {
        const counted = { bucket: `staff ${person.userId}`, rate: ofPerson };
        const all = info.calls.map(() => counted);
        await countCalls(getServices(), all);
      }
      return {
        staff: await staffOf(person),
        reloadStaff: async () => staffOf(await readStaffSession(jar, { isUse: false })),
      };
    },
    responseMeta: retryAfter,
    onError: ({ error, path }) => {
      if (isFault(error)) processLog().error({ procedure: path, ...safeError(error.cause ?? error) }, 'fault');
    },
  });
}

export { serve as GET, serve as POST };
export const dynamic = 'force-dynamic';
