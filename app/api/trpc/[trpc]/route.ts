import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { getStaffSession } from '@/server/auth/session';
import { getServices } from '@/server/database';
import { staffContext } from '@/server/domain/staff/context';
import { env } from '@/server/env';
import { staffRouter } from '@/server/trpc/staff/router';

async function serve(request: Request): Promise<Response> {
  // Nothing changes by GET, and a change comes from our own pages only.
  if (request.method !== 'GET' && request.headers.get('origin') !== new URL(env().PUBLIC_ORIGIN).origin) {
    return Response.json({ error: { message: 'This request did not come from our own page.' } }, { status: 403 });
  }
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: staffRouter,
    createContext: async () => {
      const person = await getStaffSession();
      return { staff: person && (await staffContext(getServices(), person)) };
    },
  });
}

export { serve as GET, serve as POST };
export const dynamic = 'force-dynamic';
