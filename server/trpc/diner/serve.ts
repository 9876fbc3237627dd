import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { dinerCookie } from '@/server/auth/diner-cookie';
import { isSameOrigin } from '@/server/auth/own-page';
import type { Services } from '@/server/domain/kernel/context';
import { networkOf } from '@/server/domain/kernel/networks';
import { tokenPattern } from '@/server/domain/qr-ordering';
import { readBodyUpTo } from '@/server/limits/bounded-body';
import { addressFromFrontDoor } from '@/server/limits/client-address';
import { countCalls, isFault, retryAfter } from '../refusals';
import { dinerRouter } from './router';

/**
 * A restaurant's guests share its network, and a large party shares its table's code. Limits are per network and code,
 * so that someone elsewhere with a photo of the code uses up nothing of theirs.
 */
const networkRate = { perSecond: 200, burst: 600 };
const tableRate = { perSecond: 20, burst: 60 };

/** A full cart of a hundred lines with notes stays far below. */
const maxBodyBytes = 131_072;

/** Serves a diner's phone. Changes are accepted from our own pages only. */
export async function serveDiner(
  services: Services,
  request: Request,
  onFault: (error: unknown, procedure: string | undefined) => void,
): Promise<Response> {
  const { url, method, headers, signal } = request;
  if (method !== 'GET' && !isSameOrigin(request, services.publicOrigin)) {
    return Response.json({ error: { message: 'This request did not come from our own page.' } }, { status: 403 });
  }
  const body = await readBodyUpTo(request, maxBodyBytes);
  if (!body) return new Response(null, { status: 413 });
  return fetchRequestHandler({
    endpoint: '/api/diner',
    req: new Request(url, { method, headers, signal, body: method === 'POST' ? new Uint8Array(body) : null }),
    router: dinerRouter,
    allowBatching: false,
    // Queries may come as POST, too: see the client.
    allowMethodOverride: true,
    createContext: async ({ info, resHeaders }) => {
      // Event streams can't send custom headers.
      const readParam = (header: string, param: string) =>
        headers.get(header) ?? info.connectionParams?.[param] ?? null;
      const client = addressFromFrontDoor(headers.get('x-forwarded-for'));
      const tableToken = readParam('x-table-token', 'tableToken');
      const network = networkOf(client);
      // One after the other, so that past the network's limit the table's is not checked.
      await countCalls(services, [{ bucket: `diners of ${network}`, rate: networkRate }]);
      if (tableToken !== null && tokenPattern.test(tableToken)) {
        await countCalls(services, [{ bucket: `table ${tableToken} of ${network}`, rate: tableRate }]);
      }
      return {
        services,
        client,
        tableToken,
        merchantId: readParam('x-merchant-id', 'merchantId'),
        session: dinerCookie(headers, resHeaders, services.publicOrigin),
      };
    },
    responseMeta: retryAfter,
    onError: ({ error, path }) => {
      if (isFault(error)) onFault(error.cause ?? error, path);
    },
  });
}
