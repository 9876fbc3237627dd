/** A network between a client and the service that fails as a test says, request by request. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Fault =
  /** Never reaches the service. */
  | 'unreached'
  /** The service executes it, and the response is lost. */
  | 'lost'
  /** Nothing befalls it. */
  | 'none'
  /** Half of the response arrives. */
  | 'cut'
  /** The service executes it, and the connection stays open without a response. */
  | 'silent'
  /** A response of something in between. */
  | { status: number; headers?: Record<string, string>; body?: string };

/** A response as of the service itself, without its body. */
export const ofService = (status: number, headers: Record<string, string> = {}): Fault => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'none', ...headers },
  body: '{}',
});

export interface FaultyProxy {
  origin: string;
  /** What befalls the next requests. When it is empty, all goes well. */
  faults: Fault[];
  /** Each request as it was sent. */
  received: { path: string; body: string; at: number }[];
  stop(): Promise<void>;
}

/** `target` is a function because a suite's service starts after its hooks are defined. */
export async function startFaultyProxy(target: () => string): Promise<FaultyProxy> {
  const faults: Fault[] = [];
  const received: FaultyProxy['received'] = [];
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    received.push({ path: incoming.url ?? '', body, at: performance.now() });
    const fault = faults.shift();
    if (fault === 'unreached') return void response.destroy();
    if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end(fault.body);
    const reply = await fetch(`${target()}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: { 'x-api-key': String(incoming.headers['x-api-key']), 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    });
    const whole = Buffer.from(await reply.text());
    if (fault === 'silent') return;
    if (fault === 'lost') return void response.destroy();
    response.writeHead(reply.status, [...reply.headers.entries()].filter(([name]) => name !== 'connection').flat());
    if (fault !== 'cut') return void response.end(whole);
    response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    received,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
