/** What the front door answers itself, without REST API or Next. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './request-check';

export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, text, allow, location }: Refusal,
): void {
  dropBody(request, response);
  if (allow) response.setHeader('allow', allow);
  if (location) response.setHeader('location', location);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${text}\n`);
}

/** The unread part of a body would precede the connection's next request. */
export function dropBody(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete) response.setHeader('connection', 'close');
  request.resume();
}

export function sendUnavailable(response: ServerResponse, status: string): void {
  response.setHeader('retry-after', '2');
  sendJson(response, 503, { status });
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
