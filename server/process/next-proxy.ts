/** Requests that the front door passes on to Next, up to a limit, and the streams among them. */
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Span } from '@opentelemetry/api';
import { createProxyServer, type ProxyServer } from 'httpxy';
import { networkOf } from '../domain/kernel/networks';
import { addressOfConnection, type TrustedProxies } from '../limits/client-address';
import type { Logger } from '../observe/log';
import { addGauge, pageRequests } from '../observe/metrics';
import { endPageSpan, startRequestSpan } from '../observe/request-span';
import { traceparentOf } from '../observe/spans';
import { dropBody, sendUnavailable } from './short-answers';

/**
 * Max concurrent requests at Next: as many as it answers within a few seconds. Event streams cost little and are not
 * counted.
 */
const maxProxiedRequests = 256;
/** Max requests from one network, so that its slow clients leave room for others. */
const maxProxiedPerNetwork = 64;
/** Shorter than Next's keep-alive (five seconds in development), so we never reuse a socket that it is closing. */
const idleTimeoutMs = 4_000;
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

interface NextProxyOptions {
  log: Logger;
  /** Where Next listens. */
  nextOrigin: string;
  trustedProxies: TrustedProxies;
}

export function createNextProxy({ log, nextOrigin, trustedProxies }: NextProxyOptions) {
  /** Requests in progress at Next, each with the client's network and its span. */
  const inProgress = new Map<ServerResponse, { network: string; span: Span | null }>();
  // The agent does not limit connections, so that event streams have room. Requests have their own limits.
  const proxy = createProxy(new Agent({ keepAlive: true, timeout: idleTimeoutMs }));
  // Next may not read a body to its end, and the rest would precede the next request on a reused connection. So
  // requests with a body get their own connection.
  const bodyProxy = createProxy(new Agent({ keepAlive: false }));

  function createProxy(agent: Agent): ProxyServer {
    // Without an `error` listener, the promises of `web` and `ws` report errors.
    const created = createProxyServer({ target: nextOrigin, xfwd: true, agent });
    // Connection headers apply to one hop: the client's are not sent to Next, nor Next's to the client.
    created.on('proxyReq', (outgoing) => outgoing.setHeader('connection', 'keep-alive'));
    created.on('proxyRes', (upstream, request, clientResponse) => {
      delete upstream.headers.connection;
      delete upstream.headers['keep-alive'];
      if (!upstream.headers['content-type']?.startsWith('text/event-stream')) return;
      const response = clientResponse as ServerResponse;
      const span = inProgress.get(response)?.span;
      if (span) endPageSpan(span, request, response);
      inProgress.delete(response);
      trackStream(response);
    });
    return created;
  }

  function isFull(network: string): boolean {
    let networkCount = 0;
    for (const other of inProgress.values()) if (other.network === network) networkCount += 1;
    return networkCount >= maxProxiedPerNetwork || inProgress.size >= maxProxiedRequests;
  }

  /** Answers 503 `busy` at the limit, and `starting` while Next is away. */
  function proxyRequest(request: IncomingMessage, response: ServerResponse): void {
    const network = networkOf(setForwardedFor(request, trustedProxies));
    // A pipelined request has no socket yet, and Node would not report when it closes.
    if (!response.socket || isFull(network)) return void sendUnavailable(response, 'busy');
    stripHopByHopHeaders(request);
    const span = startRequestSpan(request);
    if (span) request.headers.traceparent = traceparentOf(span);
    inProgress.set(response, { network, span });
    const startedAt = performance.now();
    response.once('close', () => {
      // An event stream is no longer in the map.
      if (!inProgress.delete(response)) return;
      const labels = { face: faceOf(request.url), status: `${Math.floor(response.statusCode / 100)}xx` };
      pageRequests.observe(labels, (performance.now() - startedAt) / 1000);
      if (span) endPageSpan(span, request, response);
    });
    const nextProxy = hasBody(request) ? bodyProxy : proxy;
    nextProxy.web(request, response).catch((error) => respondNextAway(request, response, error));
  }

  /** Of Next's development server: a WebSocket that tells browsers of changed files. */
  function proxyUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!request.url?.startsWith(hotReloadPath)) return void socket.destroy();
    trackStream(socket);
    setForwardedFor(request, trustedProxies);
    proxy.ws(request, socket as never, {}, head).catch(() => socket.destroy());
  }

  /** Responds 503 while Next starts or restarts. */
  function respondNextAway(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    log.warn({ error: (error as { code?: string }).code }, 'next is away');
    dropBody(request, response);
    sendUnavailable(response, 'starting');
  }

  return { proxyRequest, proxyUpgrade };
}

/** Who uses the address: diners, or everyone else (mostly staff). */
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
 * Sets `X-Forwarded-For`, from which Next reads the client's address, and drops all forwarding headers from outside.
 */
function setForwardedFor(request: IncomingMessage, trustedProxies: TrustedProxies): string {
  const client = addressOfConnection(request, trustedProxies);
  for (const name of Object.keys(request.headers)) {
    if (name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded-')) delete request.headers[name];
  }
  request.headers['x-forwarded-for'] = client;
  return client;
}
