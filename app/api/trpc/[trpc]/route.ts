import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { getStaffSession } from '@/server/auth/session';
import { getServices } from '@/server/database';
import { staffContext } from '@/server/domain/staff/context';
import { env } from '@/server/env';
import { createLogger, type Logger, safeError } from '@/server/log';
import { merchantHeader } from '@/server/trpc/staff/merchant-header';
import { staffRouter } from '@/server/trpc/staff/router';

let logger: Logger | undefined;
function log(): Logger {
  logger ??= createLogger(env().LOG_LEVEL);
  return logger;
}

async function serve(request: Request): Promise<Response> {
  // Nothing changes by GET, and a change comes from our own pages only.
  if (request.method !== 'GET' && request.headers.get('origin') !== new URL(env().PUBLIC_ORIGIN).origin) {
    return Response.json({ error: { message: 'This request did not come from our own page.' } }, { status: 403 });
  }
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: staffRouter,
    createContext: async ({ info }) => {
      const person = await getStaffSession();
      // An event stream can't send headers of its own.
      const merchantId = request.headers.get(merchantHeader) ?? info.connectionParams?.merchantId;
      return { staff: person && merchantId ? await staffContext(getServices(), person, merchantId) : null };
    },
    onError: ({ error, path }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR')
        log().error({ procedure: path, ...safeError(error.cause ?? error) }, 'fault');
    },
  });
}

export { serve as GET, serve as POST };
export const dynamic = 'force-dynamic';
