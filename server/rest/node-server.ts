import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiPrefix, type RestReply, type RestRequest } from './handler';
import { tooMuchAtOnce } from './load';
import { bodyTooLarge, maxBodyBytes } from './request-body';

/** Whether a request is for the REST API. */
export const isRestPath = (url: string) =>
  url.startsWith(apiPrefix) &&
  (url.length === apiPrefix.length || url[apiPrefix.length] === '/' || url[apiPrefix.length] === '?');

/** Serves one request of `node:http`. */
export async function serveRest(
  handle: (request: RestRequest) => Promise<RestReply>,
  request: IncomingMessage,
  response: ServerResponse,
  client: string,
): Promise<void> {
  const url = request.url ?? '';
  const reply = await handle({
    method: request.method ?? 'GET',
    url: url[apiPrefix.length] === '/' ? url.slice(apiPrefix.length + 1) : '',
    apiKey: request.headers['x-api-key'] as string | undefined,
    client,
    contentType: request.headers['content-type'],
    body: () => readBody(request),
  });
  // A body that came along with its request is there in a moment: then the connection can be used again.
  if (!request.complete) await new Promise((next) => setImmediate(next));
  if (response.destroyed) return;
  // What is still to come of the body is not read: the connection can't be used again.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
  if (!request.complete) request.resume();
}

/** For all bodies that are still arriving, together, so that many slow ones do not fill the memory. */
const mostBuffered = 64 * 1024 * 1024;
let buffered = 0;

function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return Promise.reject(bodyTooLarge());
  const chunks: Buffer[] = [];
  let size = 0;
  const whole = new Promise<Buffer>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      const isTooLarge = size + chunk.length > maxBodyBytes;
      if (isTooLarge || buffered + chunk.length > mostBuffered) {
        request.removeAllListeners('data');
        reject(isTooLarge ? bodyTooLarge() : tooMuchAtOnce());
        return;
      }
      size += chunk.length;
      buffered += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
    // Also when the answer was given before the body came: nobody waits for it any more.
    request.on('close', () => reject(new Error('the connection was closed')));
  });
  return whole.finally(() => {
    buffered -= size;
  });
}
