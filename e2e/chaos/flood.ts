/**
 * A process that begins requests by the clock, whether earlier ones are answered or not, as long as a connection is free.
 * Its one argument is a `Flood` as JSON. It prints a line once all connections are open, waits for one, and prints a
 * `FloodOutcome`.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { runningClock } from '@/db/testing/running-clock';

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
  /** From the first request to the last answer. */
  tookSeconds: number;
}

const flood = JSON.parse(process.argv[2] ?? '') as Flood;
const outcome: FloodOutcome = { sent: 0, statuses: {}, withoutRetryAfter: 0, slowestMs: 0, tookSeconds: 0 };
const { hostname, port } = new URL(flood.origin);
/** Connections that wait for nothing. */
const idle = new Set<Connection>();
/** Counts from the first request: nothing is due for the time that the machine stands still. */
let clock: ReturnType<typeof runningClock> | undefined;
const elapsed = () => clock?.elapsed() ?? 0;
const isOver = () => elapsed() >= flood.seconds * 1000;

function requestText(n: number): string {
  const head = `${flood.body === null ? 'GET' : 'POST'} ${flood.path} HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${flood.keys[n % flood.keys.length]}\r\n`;
  if (flood.body === null) return `${head}\r\n`;
  const body = flood.body.replace('#', `${process.pid}-${n}`);
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

interface Connection {
  send(request: string): void;
  end(): void;
}

/** Takes one request after the other; a raw socket costs the machine a fraction of what an HTTP client does. */
async function openConnection(): Promise<void> {
  const socket = connect(Number(port), hostname).setEncoding('latin1').setNoDelay();
  let text = '';
  let sentAt: number | null = null;
  const settle = (answer: string | null) => {
    if (sentAt !== null) count(answer, elapsed() - sentAt);
    sentAt = null;
  };
  const connection: Connection = {
    send: (request: string) => {
      idle.delete(connection);
      sentAt = elapsed();
      socket.write(request);
    },
    end: () => socket.destroy(),
  };
  socket.on('data', (data: unknown) => {
    text += data;
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
    if (end < 0 || text.length < end + 4 + length) return;
    const answer = text;
    text = '';
    settle(answer);
    if (/\r\nconnection: close\r\n/i.test(answer) || isOver()) return void socket.destroy();
    idle.add(connection);
    sendDue();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    settle(null);
    idle.delete(connection);
    if (!isOver()) void openConnection();
  });
  await once(socket, 'connect');
  idle.add(connection);
}

function count(answer: string | null, ms: number): void {
  const status = answer === null ? 'failed' : answer.slice(9, 12);
  outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
  outcome.slowestMs = Math.max(outcome.slowestMs, ms);
  outcome.tookSeconds = elapsed() / 1000;
  const isLater = status === '429' || status === '503';
  if (isLater && !/\r\nretry-after: [1-9]\d*\r\n/i.test(answer ?? '')) outcome.withoutRetryAfter += 1;
}

/** Begins what is due by now. */
function sendDue(): void {
  if (!clock || isOver()) return;
  const due = flood.perSecond === null ? Number.POSITIVE_INFINITY : (elapsed() / 1000) * flood.perSecond;
  while (outcome.sent < due) {
    const [free] = idle;
    if (!free) return;
    outcome.sent += 1;
    free.send(requestText(outcome.sent));
  }
}

// One after the other: more at once than fit the queue would be tried again after a second, or three.
for (let n = 0; n < flood.connections; n++) await openConnection();
process.stdout.write('\n');
await once(process.stdin, 'data');
process.stdin.destroy();
clock = runningClock();
const timer = setInterval(() => {
  sendDue();
  if (!isOver()) return;
  clearInterval(timer);
  for (const connection of idle) connection.end();
}, 2);
// All connections end with their last answers, and the process with them.
process.once('beforeExit', () => process.stdout.write(JSON.stringify(outcome)));
