/**
 * The process that clients talk to. It serves the REST API and its own health, and proxies everything else to Next,
 * which runs as a second process: a REST request through Next would run at a tenth of the speed.
 */
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Span } from '@opentelemetry/api';
import { createProxyServer, type ProxyServer } from 'httpxy';
import { runIn, traceparentOf } from '@/server/observe/spans';
import type { Services } from '../domain/kernel/context';
import { networkOf } from '../domain/kernel/networks';
import { addressOfConnection, type TrustedProxies } from '../limits/client-address';
import { boundConnections } from '../limits/connections';
import type { Logger } from '../observe/log';
import { addGauge, pageRequests } from '../observe/metrics';
import { endPageSpan, startRequestSpan } from '../observe/request-span';
import { createRestHandler } from '../rest/handler';
import { isRestPath, serveRest } from '../rest/node-server';
import { createRequestLog } from '../rest/request-log';
import { headersOfEveryAnswer } from './every-answer.js';
import { answerMalformed } from './malformed';
import { readiness } from './readiness';
import { createRequestCheck, type Refusal } from './request-check';
import type { StaticFiles } from './static-files';

interface FrontDoorOptions {
  services: Services;
  log: Logger;
  /** Where Next listens. */
  nextOrigin: string;
  /** Files of the build that this process serves itself. */
  files?: StaticFiles;
  /** True when Next runs in development: only then are WebSockets proxied, which tell browsers of changed files. */
  isDev?: boolean;
  /** Our own proxies in front of it: how many, or their networks. */
  trustedProxies?: TrustedProxies;
  /** True if Next answers. */
  isNextUp?: () => boolean;
  /** True once the service is to stop: it still answers, and tells load balancers to send no more. */
  isDraining?: () => boolean;
  /** Host names that it answers to besides that of the public address. */
  allowedHosts?: readonly string[];
}

/**
 * Max requests at Next at once: what it answers within a few seconds. Event streams cost it little and are not counted.
 */
const maxProxiedRequests = 256;
/** Max requests from one network, so that its slow clients leave room for others. */
const maxProxiedPerNetwork = 64;
/** Shorter than Next's keep-alive (five seconds in development), so we never reuse a socket that it is closing. */
const idleTimeoutMs = 4_000;
/** How often Node checks for connections past their timeouts. */
const connectionCheckMs = 2_000;
/** The path on which Next's development server accepts WebSockets. */
const hotReloadPath = '/_next/hmr';

/** Responses and sockets that never end on their own: event streams, and WebSockets in development. */
const openStreams = new Set<ServerResponse | Duplex>();
addGauge({
  name: 'loyalty_event_streams',
  help: 'Open event streams of screens.',
  read: () => [{ value: openStreams.size }],
});

function trackStream(stream: ServerResponse | Duplex): void {
  openStreams.add(stream);
  stream.once('close', () => openStreams.delete(stream));
}

/** Closes everything that never ends on its own, so that a stop need not wait for it. Browsers reconnect. */
export function endEventStreams(): void {
  for (const stream of openStreams) stream.destroy();
}

export function createFrontDoor(options: FrontDoorOptions): Server {
  const { services, log, nextOrigin, files, isDev = false, trustedProxies = 0, allowedHosts = [] } = options;
  const { isNextUp = () => true, isDraining = () => false } = options;
  const headers = headersOfEveryAnswer(services.publicOrigin);
  const check = createRequestCheck(services, allowedHosts);
  const requests = createRequestLog(services, log);
  const handle = createRestHandler({ services, log, requests });
  /** Requests in progress at Next, with the client's network and the span. */
  const proxiedRequests = new Map<ServerResponse, { network: string; span: Span | null }>();
  // Connections are not limited here, so that event streams have room: requests have their own limits.
  const proxy = createNextProxy(new Agent({ keepAlive: true, timeout: idleTimeoutMs }));
  // Next may not read a body to its end, and the rest would precede the next request on a reused connection. So
  // requests with a body get their own connection.
  const bodyProxy = createNextProxy(new Agent({ keepAlive: false }));

  // The check refuses a missing Host header, with the headers of every response.
  const settings = { connectionsCheckingInterval: connectionCheckMs, requireHostHeader: false };
  const server = createServer(settings, (request, response) => {
    response.setHeaders(headers);
    // So that no proxy has a connection left to send on when the service closes it.
    if (isDraining()) response.setHeader('connection', 'close');
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
    else if (!files?.serve(request, response)) proxyRequest(request, response);
  });
  // Without a listener, Node answers upgrade requests like any others.
  if (isDev) server.on('upgrade', proxyUpgrade);
  server.on('checkExpectation', (request, response) => {
    response.setHeaders(headers);
    refuse(request, response, { status: 417, text: 'The only expectation that is supported is 100-continue.' });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerMalformed(error, socket, headers));
  server.on('close', () => requests.flush());
  boundConnections(server, trustedProxies);
  return server;

  function createNextProxy(agent: Agent): ProxyServer {
    // Without an `error` listener, the promises of `web` and `ws` report errors.
    const proxy = createProxyServer({ target: nextOrigin, xfwd: true, agent });
    // Connection headers concern one hop: the client's are not sent to Next, and Next's are not sent to the client.
    proxy.on('proxyReq', (outgoing) => outgoing.setHeader('connection', 'keep-alive'));
    proxy.on('proxyRes', (upstream, request, clientResponse) => {
      delete upstream.headers.connection;
      delete upstream.headers['keep-alive'];
      if (!upstream.headers['content-type']?.startsWith('text/event-stream')) return;
      const response = clientResponse as ServerResponse;
      const span = proxiedRequests.get(response)?.span;
      if (span) endPageSpan(span, request, response);
      proxiedRequests.delete(response);
      trackStream(response);
    });
    return proxy;
  }

  function proxyRequest(request: IncomingMessage, response: ServerResponse): void {
    const network = networkOf(setForwardedFor(request, trustedProxies));
    let networkCount = 0;
    for (const other of proxiedRequests.values()) if (other.network === network) networkCount += 1;
    // A pipelined request has no socket yet, and Node would not report when it closes.
    if (!response.socket || networkCount >= maxProxiedPerNetwork || proxiedRequests.size >= maxProxiedRequests) {
      sendUnavailable(response, 'busy');
      return;
    }
    stripHopByHopHeaders(request);
    const span = startRequestSpan(request);
    if (span) request.headers.traceparent = traceparentOf(span);
    proxiedRequests.set(response, { network, span });
    const startedAt = performance.now();
    response.once('close', () => {
      // Event streams are no longer in the map.
      if (!proxiedRequests.delete(response)) return;
      const labels = { face: faceOf(request.url), status: `${Math.floor(response.statusCode / 100)}xx` };
      pageRequests.observe(labels, (performance.now() - startedAt) / 1000);
      if (span) endPageSpan(span, request, response);
    });
    const nextProxy = hasBody(request) ? bodyProxy : proxy;
    nextProxy.web(request, response).catch((error) => respondNextAway(request, response, error));
  }

  function proxyUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    if (check(request) || !request.url?.startsWith(hotReloadPath)) return void socket.destroy();
    trackStream(socket);
    setForwardedFor(request, trustedProxies);
    proxy.ws(request, socket as never, {}, head).catch(() => socket.destroy());
  }

  async function sendReadiness(response: ServerResponse): Promise<void> {
    const { ready, database, migrations } = await readiness(services.db);
    const next = isNextUp() ? 'ok' : 'away';
    const status = isDraining() ? 'stopping' : ready && next === 'ok' ? 'ready' : 'not_ready';
    sendJson(response, status === 'ready' ? 200 : 503, { status, database, migrations, next });
  }

  function abort(response: ServerResponse, error: unknown): void {
    log.error({ error: error instanceof Error ? error.name : typeof error }, 'connection');
    response.destroy();
  }

  /** Responds 503: Next is starting, or was restarted. */
  function respondNextAway(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    log.warn({ error: (error as { code?: string }).code }, 'next is away');
    dropBody(request, response);
    sendUnavailable(response, 'starting');
  }
}

/** Who uses the address: diners, or staff and everyone else. */
const faceOf = (url = ''): string => (/^\/(q|loyalty|api\/diner)\//.test(url) ? 'diner' : 'back_office');

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Strips hop-by-hop headers except `Connection: close`, which the response repeats. */
function stripHopByHopHeaders({ headers }: IncomingMessage): void {
  if (/\bclose\b/i.test(headers.connection ?? '')) headers.connection = 'close';
  else delete headers.connection;
  // Next would leave an upgrade request unanswered.
  delete headers.upgrade;
  // Node has already sent the client 100 Continue.
  delete headers.expect;
}

/**
 * Sets `X-Forwarded-For`, from which Next takes the client's address, and drops all forwarding headers from outside.
 */
function setForwardedFor(request: IncomingMessage, trustedProxies: TrustedProxies): string {
  const client = addressOfConnection(request, trustedProxies);
  for (const name of Object.keys(request.headers)) {
    if (name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded-')) delete request.headers[name];
  }
  request.headers['x-forwarded-for'] = client;
  return client;
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, text, allow, location }: Refusal): void {
  dropBody(request, response);
  if (allow) response.setHeader('allow', allow);
  if (location) response.setHeader('location', location);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${text}\n`);
}

/** The unread part of a body would precede the connection's next request. */
function dropBody(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete) response.setHeader('connection', 'close');
  request.resume();
}

function sendUnavailable(response: ServerResponse, status: string): void {
  response.setHeader('retry-after', '2');
  sendJson(response, 503, { status });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
