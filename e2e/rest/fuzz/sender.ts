import { Agent, request as open } from 'node:http';
import { apiPrefix } from '@/server/rest/handler';
import type { FuzzAnswer } from './judge';
import type { FuzzRequest } from './requests';

/** Sends requests as they are: `fetch` would tidy addresses and refuse methods. */
export function createSender(origin: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(origin);
  const send = ({ method, path, headers, body, isChunked }: FuzzRequest): Promise<FuzzAnswer> =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const bytes = Buffer.from(body ?? '');
      const length =
        body === null ? {} : isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.length };
      const options = { agent, hostname, port, method, path: apiPrefix + path, headers: { ...headers, ...length } };
      const outgoing = open(options, (incoming) => {
        // After an answer to a body that was not read to its end, the rest of it goes nowhere.
        outgoing.off('error', reject).on('error', () => {});
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            ms: performance.now() - started,
          });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
  return { send, close: () => agent.destroy() };
}

/** The request as a command for a shell, to be tried by hand. */
export function asCurl(origin: string, { method, path, headers, body }: FuzzRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const names = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const isText = typeof body === 'string' && !body.includes('\0');
  const data = body === null ? [] : isText ? [`--data-binary ${quote(body)}`] : ['--data-binary @-'];
  const command = ['curl -i --path-as-is', `-X ${method}`, ...names, ...data, quote(origin + apiPrefix + path)].join(
    ' ',
  );
  return body === null || isText ? command : `echo ${Buffer.from(body).toString('base64')} | base64 -d | ${command}`;
}
