/** A very bad network between tills and service: responses are lost or cut off, and requests arrive late or twice. */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** One request that reached the service, and its result there, whatever the client saw. */
export interface Passage {
  method: string;
  path: string;
  /** On `performance.now()`'s clock. */
  from: number;
  to: number;
  /** Null: no response. */
  status: number | null;
  retryAfter: string | null;
  requestId: string | null;
}

type Fate = 'passed' | 'lost' | 'cut' | 'silent' | 'late' | 'twice';

export interface LossyProxy {
  origin: string;
  passages: Passage[];
  /** Requests by fate. */
  fates: Record<Fate, number>;
  /** Requests that arrived late and got the response that they had been voided meanwhile. */
  lateAndVoided: number;
  /** Resolves when no request is in flight. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Of a thousand requests, 150 get no response although the service sends one, 80 arrive late, when the client has gone,
 * and 40 twice.
 */
function fateOf(drawn: number, isVoid: boolean): Fate {
  if (drawn < 95) return 'lost';
  if (drawn < 148) return 'cut';
  if (drawn < 150) return 'silent';
  // A void has no id of its own: a late copy of a refused one may rightly succeed.
  if (isVoid) return 'passed';
  if (drawn < 230) return 'late';
  return drawn < 270 ? 'twice' : 'passed';
}

/** Distributes requests over the services at `targets` in turn. Draws one number for each request. */
export async function startLossyProxy(targets: string[], random: () => number): Promise<LossyProxy> {
  const agent = new Agent({ keepAlive: true });
  const underWay = new Set<Promise<unknown>>();
  const passages: Passage[] = [];
  const fates = { passed: 0, lost: 0, cut: 0, silent: 0, late: 0, twice: 0 };
  let lateAndVoided = 0;
  let turn = 0;

  async function forward({ method = '', url = '', headers }: IncomingMessage, body: Buffer): Promise<Reply | null> {
    const unanswered = { status: null, retryAfter: null, requestId: null };
    const passage: Passage = { method, path: url, from: performance.now(), to: 0, ...unanswered };
    let reply: Reply | null = null;
    turn = (turn + 1) % targets.length;
    try {
      const sent = request(`${targets[turn]}${url}`, { agent, method, headers, timeout: 10_000 });
      sent.on('timeout', () => sent.destroy()).on('error', () => {});
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      reply = { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
      passage.status = reply.status;
      passage.retryAfter = reply.headers['retry-after'] ?? null;
      passage.requestId = String(reply.headers['x-request-id'] ?? '');
    } catch {
      // The service is down, or was killed during the request.
    }
    passage.to = performance.now();
    passages.push(passage);
    return reply;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const drawn = random() * 1000;
    const fate = fateOf(drawn, incoming.url?.endsWith('/void') === true);
    fates[fate] += 1;
    if (fate === 'late') {
      response.destroy();
      await wait(500 + ((drawn - 150) / 80) * 1_500);
      const reply = await forward(incoming, body);
      if (reply?.body.includes('"transaction_voided"')) lateAndVoided += 1;
      return;
    }
    const copies = fate === 'twice' ? [forward(incoming, body), forward(incoming, body)] : [forward(incoming, body)];
    const [reply] = await Promise.all(copies);
    if (!reply || fate === 'lost') return void response.destroy();
    if (fate === 'silent') return;
    response.writeHead(reply.status, reply.headers);
    if (fate !== 'cut') return void response.end(reply.body);
    response.write(reply.body.subarray(0, reply.body.length / 2), () => response.destroy());
  }

  const server = createServer((incoming, response) => {
    const served: Promise<void> = serve(incoming, response)
      .catch(() => void response.destroy())
      .finally(() => underWay.delete(served));
    underWay.add(served);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passages,
    fates,
    get lateAndVoided() {
      return lateAndVoided;
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
