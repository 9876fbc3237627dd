/**
 * A process that sends requests at a steady rate, whether they are answered or not, over so many connections. Its one
 * argument is a `Flood` as JSON; it prints a `FloodOutcome`.
 */
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface Flood {
  origin: string;
  /** Taken in turn. */
  keys: string[];
  path: string;
  /** `#` becomes another number in each request; null: a GET. */
  body: string | null;
  connections: number;
  /** Null: as fast as they are answered. */
  perSecond: number | null;
  seconds: number;
}

export interface FloodOutcome {
  sent: number;
  /** How many of each status; `failed` where the connection ended first. */
  statuses: Record<string, number>;
  /** Of 429 and 503, those that did not say when to come back. */
  withoutRetryAfter: number;
  slowestMs: number;
}

const flood = JSON.parse(process.argv[2] ?? '') as Flood;
const outcome: FloodOutcome = { sent: 0, statuses: {}, withoutRetryAfter: 0, slowestMs: 0 };
const from = performance.now();
const until = from + flood.seconds * 1000;
/** When the next request is due, of all connections together. */
let due = from;

function requestText(n: number): string {
  const { hostname } = new URL(flood.origin);
  const head = `${flood.body === null ? 'GET' : 'POST'} ${flood.path} HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${flood.keys[n % flood.keys.length]}\r\n`;
  if (flood.body === null) return `${head}\r\n`;
  const body = flood.body.replace('#', `${process.pid}-${n}`);
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Reads one answer after the other; a raw socket costs the machine a fraction of what an HTTP client does. */
function openConnection() {
  const { hostname, port } = new URL(flood.origin);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let text = '';
  let settle = (_answer: string | null) => {};
  socket.on('data', (data: unknown) => {
    text += data;
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
    if (end < 0 || text.length < end + 4 + length) return;
    const answer = text;
    text = '';
    if (/\r\nconnection: close\r\n/i.test(answer)) socket.destroy();
    settle(answer);
  });
  socket.on('error', () => {});
  socket.on('close', () => settle(null));
  const ask = (request: string) =>
    new Promise<string | null>((resolve) => {
      settle = resolve;
      if (socket.destroyed) resolve(null);
      else socket.write(request);
    });
  return { ask, close: () => socket.destroy(), isOpen: () => !socket.destroyed };
}

function count(answer: string | null, ms: number): void {
  const status = answer === null ? 'failed' : answer.slice(9, 12);
  outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
  outcome.slowestMs = Math.max(outcome.slowestMs, ms);
  const isLater = status === '429' || status === '503';
  if (isLater && !/\r\nretry-after: [1-9]\d*\r\n/i.test(answer ?? '')) outcome.withoutRetryAfter += 1;
}

async function client(): Promise<void> {
  let connection = openConnection();
  while (performance.now() < until) {
    if (flood.perSecond !== null) {
      due += 1000 / flood.perSecond;
      const early = due - performance.now();
      if (early > 0) await wait(early);
    }
    if (!connection.isOpen()) connection = openConnection();
    outcome.sent += 1;
    const sentAt = performance.now();
    count(await connection.ask(requestText(outcome.sent)), performance.now() - sentAt);
  }
  connection.close();
}

await Promise.all(Array.from({ length: flood.connections }, client));
process.stdout.write(JSON.stringify(outcome));
