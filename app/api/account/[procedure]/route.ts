import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { cookies } from 'next/headers';
import { isSameOrigin } from '@/server/auth/own-page';
import { requestBrowser } from '@/server/auth/request-browser';
import { getStaffSession, readSessionCookie } from '@/server/auth/session';
import { readBodyUpTo } from '@/server/limits/bounded-body';
import { processLog, safeError } from '@/server/observe/log';
import { getServices } from '@/server/process/services';
import { accountRouter } from '@/server/trpc/account/router';
import { isFault, throwAsTrpcError } from '@/server/trpc/refusals';

const maxBodyBytes = 16_384;

/** Procedures for visitors, and for people's own accounts. */
export async function POST(request: Request): Promise<Response> {
  if (!isSameOrigin(request)) {
    return Response.json({ error: { message: 'This request did not come from our own page.' } }, { status: 403 });
  }
  const body = await readBodyUpTo(request, maxBodyBytes);
  if (!body) return new Response(null, { status: 413 });
  const { url, method, headers } = request;
  return fetchRequestHandler({
    endpoint: '/api/account',
    req: new Request(url, { method, headers, body: new Uint8Array(body) }),
    router: accountRouter,
    allowBatching: false,
    // Queries, too, come as POST, from our own pages only.
    allowMethodOverride: true,
    createContext: async () => ({
      services: getServices(),
      browser: await requestBrowser(),
      person: await getStaffSession().catch(throwAsTrpcError),
      cookie: await readSessionCookie(await cookies()),
    }),
    onError: ({ error, path }) => {
      if (isFault(error)) {
        processLog().error({ procedure: path, ...safeError(error.cause ?? error) }, 'fault');
      }
    },
  });
}

export const dynamic = 'force-dynamic';
