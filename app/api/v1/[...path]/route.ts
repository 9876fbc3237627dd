/**
 * The REST API for hosts that can only run Next. The separate process (`server/process/front-door.ts`) is about ten times as
 * fast.
 */
import { readBodyUpTo } from '@/server/limits/bounded-body';
import { addressFromProxies } from '@/server/limits/client-address';
import { processLog } from '@/server/observe/log';
import { env } from '@/server/process/env';
import { getServices } from '@/server/process/services';
import { apiPrefix, createRestHandler } from '@/server/rest/handler';
import { bodyTooLarge, maxBodyBytes } from '@/server/rest/request-body';
import { createRequestLog } from '@/server/rest/request-log';

let handle: ReturnType<typeof createRestHandler> | undefined;

function start(): ReturnType<typeof createRestHandler> {
  const services = getServices();
  const log = processLog();
  const requests = createRequestLog(services, log);
  process.once('SIGTERM', () => requests.flush());
  return createRestHandler({ services, log, requests });
}

async function serve(request: Request): Promise<Response> {
  handle ??= start();
  const { status, headers, body, isLost } = await handle({
    method: request.method,
    url: request.url.slice(request.url.indexOf(apiPrefix) + apiPrefix.length + 1),
    apiKey: request.headers.get('x-api-key') ?? undefined,
    // Without the front door, nobody else says who the client is: a key that is limited to networks then works nowhere.
    client: addressFromProxies(request.headers.get('x-forwarded-for') ?? '', env().TRUSTED_PROXIES) ?? 'unknown',
    contentType: request.headers.get('content-type') ?? undefined,
    body: () => readBody(request),
  });
  if (isLost) return new Response(brokenOff(), { headers });
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

/** Next cuts the connection when it fails. */
const brokenOff = () => new ReadableStream({ pull: (controller) => controller.error(new Error('lost')) });

async function readBody(request: Request): Promise<Buffer> {
  const body = await readBodyUpTo(request, maxBodyBytes);
  if (!body) throw bodyTooLarge();
  return body;
}

export { serve as DELETE, serve as GET, serve as HEAD, serve as OPTIONS, serve as PATCH, serve as POST, serve as PUT };
export const dynamic = 'force-dynamic';
