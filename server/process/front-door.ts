/**
 * The process that clients talk to. It serves the REST API and its own health, and proxies everything else to Next,
 * which runs as a second process: a REST request through Next would run at a tenth of the speed.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { runIn } from '@/server/observe/spans';
import type { Services } from '../domain/kernel/context';
import { addressOfConnection, dropClaimedTrace, type TrustedProxies } from '../limits/client-address';
import { boundConnections } from '../limits/connections';
import type { Logger } from '../observe/log';
import { startRequestSpan } from '../observe/request-span';
import { createRestHandler } from '../rest/handler';
import { isRestPath, serveRest } from '../rest/node-server';
import { createRequestLog } from '../rest/request-log';
import { headersOfEveryAnswer } from './every-answer.js';
import { answerMalformed } from './malformed';
import { createNextProxy } from './next-proxy';
import { readiness } from './readiness';
import { createRequestCheck } from './request-check';
import { refuse, sendJson } from './short-answers';
import type { StaticFiles } from './static-files';

interface FrontDoorOptions {
  services: Services;
  log: Logger;
  /** Where Next listens. */
  nextOrigin: string;
  /** Files of the build that this process serves itself. */
  files?: StaticFiles;
  /** True if Next runs in development. Only then are WebSockets proxied, by which browsers learn of changed files. */
  isDev?: boolean;
  /** Our own proxies before it: their number, or their networks. */
  trustedProxies?: TrustedProxies;
  /** True if Next answers. */
  isNextUp?: () => boolean;
  /** True once the service is about to stop. It still answers, but tells load balancers to send no more. */
  isDraining?: () => boolean;
  /** Host names that it answers to besides that of the public address. */
  allowedHosts?: readonly string[];
}

/** How often Node checks for connections past their timeouts. */
const connectionCheckMs = 2_000;
export function createFrontDoor(options: FrontDoorOptions): Server {
  const { services, log, nextOrigin, files, isDev = false, trustedProxies = 0, allowedHosts = [] } = options;
  const { isNextUp = () => true, isDraining = () => false } = options;
  const headers = headersOfEveryAnswer(services.publicOrigin);
  const check = createRequestCheck(services, allowedHosts);
  const requests = createRequestLog(services, log);
  const handle = createRestHandler({ services, log, requests });
  const next = createNextProxy({ log, nextOrigin, trustedProxies });

  // Our own check refuses a missing Host header, so that the response has all headers.
  const settings = { connectionsCheckingInterval: connectionCheckMs, requireHostHeader: false };
  const server = createServer(settings, (request, response) => {
    response.setHeaders(headers);
    // So that, when the service closes a connection, no proxy is about to use it.
    if (isDraining()) response.setHeader('connection', 'close');
    dropClaimedTrace(request, trustedProxies);
    const url = request.url ?? '/';
    const refusal = check(request);
    if (refusal) refuse(request, response, refusal);
    else if (isRestPath(url)) {
      const client = addressOfConnection(request, trustedProxies);
      const span = startRequestSpan(request);
      runIn(span, () => serveRest(handle, request, response, client))
        .catch((error) => abort(response, error))
        .finally(() => span?.end());
    } else if (url === '/api/health') sendJson(response, 200, { status: 'ok' });
    else if (url === '/api/ready') sendReadiness(response).catch((error) => abort(response, error));
    else if (!files?.serve(request, response)) next.proxyRequest(request, response);
  });
  // Without a listener, Node answers upgrade requests like any others.
  if (isDev) {
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => {});
      if (check(request)) socket.destroy();
      else next.proxyUpgrade(request, socket, head);
    });
  }
  server.on('checkExpectation', (request, response) => {
    response.setHeaders(headers);
    refuse(request, response, { status: 417, text: 'The only expectation that is supported is 100-continue.' });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerMalformed(error, socket, headers));
  server.on('close', () => requests.flush());
  boundConnections(server, trustedProxies);
  return server;

  async function sendReadiness(response: ServerResponse): Promise<void> {
    const { ready, database, migrations } = await readiness(services.db);
    const nextState = isNextUp() ? 'ok' : 'away';
    const status = isDraining() ? 'stopping' : ready && nextState === 'ok' ? 'ready' : 'not_ready';
    sendJson(response, status === 'ready' ? 200 : 503, { status, database, migrations, next: nextState });
  }

  function abort(response: ServerResponse, error: unknown): void {
    log.error({ error: error instanceof Error ? error.name : typeof error }, 'connection');
    response.destroy();
  }
}
