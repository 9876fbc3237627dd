/**
 * The process that clients talk to: it serves the REST API and its own health, and passes everything else on to Next,
 * which runs as a second process. Next's own machinery would cost a REST request nine tenths of its speed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createProxyServer } from 'httpxy';
import type { Services } from './domain/core/context';
import type { Env } from './env';
import type { Logger } from './log';
import { readiness } from './readiness';
import { createRestHandler } from './rest/handler';
import { isRestPath, serveRest } from './rest/node-server';

interface FrontDoorOptions {
  services: Services;
  settings: Env;
  log: Logger;
  /** Where Next listens. */
  nextOrigin: string;
}

export function createFrontDoor({ services, settings, log, nextOrigin }: FrontDoorOptions): Server {
  const environment = settings.APP_ENV === 'production' ? 'live' : 'sandbox';
  const handle = createRestHandler({ services, environment, log });
  const proxy = createProxyServer({ target: nextOrigin, xfwd: true });
  proxy.on('error', () => {});

  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    if (isRestPath(url)) serveRest(handle, request, response).catch((error) => fail(response, error));
    else if (url === '/api/health') answer(response, 200, { status: 'ok' });
    else if (url === '/api/ready') ready(response).catch((error) => fail(response, error));
    else proxy.web(request, response).catch((error) => away(request, response, error));
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    proxy.ws(request, socket as never, {}, head).catch(() => socket.destroy());
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  return server;

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
    if (response.headersSent || request.destroyed) return void response.destroy();
    log.warn({ error: (error as { code?: string }).code }, 'next is away');
    response.setHeader('retry-after', '2');
    answer(response, 503, { status: 'starting' });
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
