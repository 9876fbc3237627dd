/** A receiver of webhooks for tests: a real server on this machine. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface Received {
  /** The event's id. */
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = number | ((response: ServerResponse) => unknown);

/** Answers each request with the status from `answer`, or leaves the response to it. */
export async function startReceiver(answer: (request: Received) => Answer | Promise<Answer> = () => 200) {
  const received: Received[] = [];
  const atOnce = { now: 0, most: 0 };
  const receiver = { answer };
  const server = createServer(async (request, response) => {
    atOnce.now += 1;
    atOnce.most = Math.max(atOnce.most, atOnce.now);
    response.on('close', () => {
      atOnce.now -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    received.push(one);
    const outcome = await receiver.answer(one);
    if (typeof outcome === 'number') response.writeHead(outcome).end();
    else outcome(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    atOnce,
    stop,
    /** Ends it and all connections, and starts it again after `ms`. */
    restart: async (ms: number) => {
      await stop();
      await wait(ms);
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  });
}
