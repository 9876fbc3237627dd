import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { dinerCookie } from '@/server/auth/diner-cookie';
import { isFromOwnPage } from '@/server/auth/own-page';
import { readBodyUpTo } from '@/server/bounded-body';
import { addressFromFrontDoor, networkOf } from '@/server/client-address';
import type { Services } from '@/server/domain/core/context';
import { tokenPattern } from '@/server/domain/qr-ordering/token';
import { countCalls, isFault, retryAfter } from '../refusals';
import { dinerRouter } from './router';

/**
 * A restaurant's guests share its network, and those of a large party the code of its table; who holds a photo of the code
 * elsewhere takes nothing from them.
 */
const ofNetwork = { perSecond: 200, burst: 600 };
const ofTable = { perSecond: 20, burst: 60 };

/** A full cart of a hundred noted lines stays far below. */
const maxBodyBytes = 131_072;

/** Answers a diner's phone: what changes something comes from our own pages only. */
export async function serveDiner(
  services: Services,
  request: Request,
  onFault: (error: unknown, procedure: string | undefined) => void,
): Promise<Response> {
  const { url, method, headers, signal } = request;
  if (method !== 'GET' && !isFromOwnPage(request, services.publicOrigin)) {
    return Response.json({ error: { message: 'This request did not come from our own page.' } }, { status: 403 });
  }
  const body = await readBodyUpTo(request, maxBodyBytes);
  if (!body) return new Response(null, { status: 413 });
  return fetchRequestHandler({
    endpoint: '/api/diner',
    req: new Request(url, { method, headers, signal, body: method === 'POST' ? new Uint8Array(body) : null }),
    router: dinerRouter,
    allowBatching: false,
    createContext: async ({ info, resHeaders }) => {
      // An event stream can't send headers of its own.
      const named = (header: string, param: string) => headers.get(header) ?? info.connectionParams?.[param] ?? null;
      const client = addressFromFrontDoor(headers.get('x-forwarded-for'));
      const tableToken = named('x-table-token', 'tableToken');
      const network = networkOf(client);
      // In turn, so that beyond the network's limit no table is asked about.
      await countCalls(services, [{ bucket: `diners of ${network}`, rate: ofNetwork }]);
      if (tableToken !== null && tokenPattern.test(tableToken)) {
        await countCalls(services, [{ bucket: `table ${tableToken} of ${network}`, rate: ofTable }]);
      }
      return {
        services,
        client,
        tableToken,
        merchantId: named('x-merchant-id', 'merchantId'),
        session: dinerCookie(headers, resHeaders, services.publicOrigin),
      };
    },
    responseMeta: retryAfter,
    onError: ({ error, path }) => {
      if (isFault(error)) onFault(error.cause ?? error, path);
    },
  });
}
