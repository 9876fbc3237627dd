import type { IncomingMessage, ServerResponse } from 'node:http';
import { overloadedError } from '../limits/requests-at-work';
import { apiPrefix, type RestReply, type RestRequest } from './handler';
import { bodyTooLarge, maxBodyBytes } from './request-body';

/** True for a URL of the REST API. */
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
  // A body that was sent with its request arrives in a moment. The connection can then be reused.
  if (!request.complete) await new Promise((next) => setImmediate(next));
  if (response.destroyed) return;
  if (reply.isLost) return void response.destroy();
  // The rest of the body is not read, so the connection can't be reused.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
  if (!request.complete) request.resume();
}

/** Limits the total size of all bodies that are still arriving, so that many slow ones can't fill the memory. */
const maxBufferedBytes = 64 * 1024 * 1024;
let bufferedBytes = 0;

function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return Promise.reject(bodyTooLarge());
  const chunks: Buffer[] = [];
  let size = 0;
  const whole = new Promise<Buffer>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      const isTooLarge = size + chunk.length > maxBodyBytes;
      if (isTooLarge || bufferedBytes + chunk.length > maxBufferedBytes) {
        request.removeAllListeners('data');
        reject(isTooLarge ? bodyTooLarge() : overloadedError());
        return;
      }
      size += chunk.length;
      bufferedBytes += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
    // This also happens if the response was sent before the body arrived. Then nothing waits for it.
    request.on('close', () => reject(new Error('the connection was closed')));
  });
  return whole.finally(() => {
    bufferedBytes -= size;
  });
}
