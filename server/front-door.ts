/**
 * The process that clients talk to: it serves the REST API and its own health, and passes everything else on to Next,
 * which runs as a second process. Next's own machinery would cost a REST request nine tenths of its speed.
 */
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createProxyServer, type ProxyServer } from 'httpxy';
import { addressOfConnection, networkOf } from './client-address';
import { boundConnections } from './connections';
import type { Services } from './domain/core/context';
import type { Logger } from './log';
import { readiness } from './readiness';
import { createRestHandler } from './rest/handler';
import { isRestPath, serveRest } from './rest/node-server';
import { createRequestLog } from './rest/request-log';
import type { StaticFiles } from './static-files';

interface FrontDoorOptions {
  services: Services;
  log: Logger;
  /** Where Next listens. */
  nextOrigin: string;
  /** Files of the build that need not come from Next. */
  files?: StaticFiles;
  /** Whether Next runs in development: only then does it take WebSockets, to tell browsers of changed files. */
  isDev?: boolean;
  /** How many proxies of our own stand before it. */
  trustedProxies?: number;
}

/** As many as Next answers within a few seconds; event streams, which cost it little, are not among them. */
const mostPassedOn = 256;
/** Of one network, so that its slow clients leave room for the others. */
const mostOfNetwork = 64;
/** Next closes what nobody has used for a while, in development after five seconds: no connection is used on which that may be under way. */
const longestIdleMs = 4_000;
/** Late connections are looked for so often. */
const checkingMs = 2_000;
/** Where Next's development server takes WebSockets. */
const hotReloadPath = '/_next/hmr';

/** What never ends by itself: event streams, and in development WebSockets. */
const endless = new Set<ServerResponse | Duplex>();

function track(stream: ServerResponse | Duplex): void {
  endless.add(stream);
  stream.once('close', () => endless.delete(stream));
}

/** Cuts what never ends by itself, so that a stop need not wait for it. Browsers come back by themselves. */
export function endEventStreams(): void {
  for (const stream of endless) stream.destroy();
}

export function createFrontDoor(options: FrontDoorOptions): Server {
  const { services, log, nextOrigin, files, isDev = false, trustedProxies = 0 } = options;
  const requests = createRequestLog(services, log);
  const handle = createRestHandler({ services, log, requests });
  /** Each with the network that asks. */
  const passedOn = new Map<ServerResponse, string>();
  // As many connections as there are event streams: requests have bounds of their own.
  const proxy = proxyBy(new Agent({ keepAlive: true, timeout: longestIdleMs }));
  // Next need not read a body to its end: what is left of it would stand before the connection's next request.
  const proxyOfBodies = proxyBy(new Agent({ keepAlive: false }));

  const server = createServer({ connectionsCheckingInterval: checkingMs }, (request, response) => {
    const url = request.url ?? '/';
    if (isRestPath(url)) {
      const client = addressOfConnection(request, trustedProxies);
      serveRest(handle, request, response, client).catch((error) => fail(response, error));
    } else if (url === '/api/health') answer(response, 200, { status: 'ok' });
    else if (url === '/api/ready') ready(response).catch((error) => fail(response, error));
    else if (!files?.serve(request, response)) passOn(request, response);
  });
  // Without this, Node answers requests to upgrade as any others.
  if (isDev) server.on('upgrade', passUpgradeOn);
  server.on('close', () => requests.flush());
  boundConnections(server, trustedProxies);
  return server;

  function proxyBy(agent: Agent): ProxyServer {
    // Without a listener to `error`, the promises of `web` and `ws` are what tells of one.
    const proxy = createProxyServer({ target: nextOrigin, xfwd: true, agent });
    // Whether a connection stays open is its own matter: what a client says of its own is not passed on, nor what Next says.
    proxy.on('proxyReq', (passing) => passing.setHeader('connection', 'keep-alive'));
    proxy.on('proxyRes', (upstream, _request, answering) => {
      delete upstream.headers.connection;
      delete upstream.headers['keep-alive'];
      if (!upstream.headers['content-type']?.startsWith('text/event-stream')) return;
      const response = answering as ServerResponse;
      passedOn.delete(response);
      track(response);
    });
    return proxy;
  }

  function passOn(request: IncomingMessage, response: ServerResponse): void {
    const network = networkOf(nameClient(request, trustedProxies));
    let ofNetwork = 0;
    for (const other of passedOn.values()) if (other === network) ofNetwork += 1;
    // Without a socket it was sent before the answer to another, and Node would not tell when it closes.
    if (!response.socket || ofNetwork >= mostOfNetwork || passedOn.size >= mostPassedOn) {
      later(response, 'busy');
      return;
    }
    keepOwnHeaders(request);
    passedOn.set(response, network);
    response.once('close', () => passedOn.delete(response));
    const by = hasBody(request) ? proxyOfBodies : proxy;
    by.web(request, response).catch((error) => away(request, response, error));
  }

  function passUpgradeOn(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    if (!request.url?.startsWith(hotReloadPath)) return void socket.destroy();
    track(socket);
    nameClient(request, trustedProxies);
    proxy.ws(request, socket as never, {}, head).catch(() => socket.destroy());
  }

  async function ready(response: ServerResponse): Promise<void> {
    const state = await readiness(services.db);
    answer(response, state.ready ? 200 : 503, {
      status: state.ready ? 'ready' : 'not_ready',
      ...state,
      ready: undefined,
    });
  }

  function fail(response: ServerResponse, error: unknown): void {
    log.error({ error: error instanceof Error ? error.name : typeof error }, 'connection');
    response.destroy();
  }

  /** Next is starting or was restarted. */
  function away(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    log.warn({ error: (error as { code?: string }).code }, 'next is away');
    // What is still to come of the body stands before the connection's next request.
    if (!request.complete) response.setHeader('connection', 'close');
    later(response, 'starting');
    request.resume();
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Takes out what is said to this process alone; but for whether the connection is to close, which the answer repeats. */
function keepOwnHeaders({ headers }: IncomingMessage): void {
  if (/\bclose\b/i.test(headers.connection ?? '')) headers.connection = 'close';
  else delete headers.connection;
  // Next would leave a request to upgrade unanswered.
  delete headers.upgrade;
  // Node has told the client to go on already.
  delete headers.expect;
}

/** Next takes the client from `X-Forwarded-For`: what came from outside under such names is dropped. */
function nameClient(request: IncomingMessage, trustedProxies: number): string {
  const client = addressOfConnection(request, trustedProxies);
  for (const name of Object.keys(request.headers)) {
    if (name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded-')) delete request.headers[name];
  }
  request.headers['x-forwarded-for'] = client;
  return client;
}

function later(response: ServerResponse, status: string): void {
  response.setHeader('retry-after', '2');
  answer(response, 503, { status });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
