/**
 * A process that starts requests at a fixed rate, whether earlier ones are answered or not, while a connection is free.
 * Its one argument is a `Flood` as JSON. It prints a line once all connections are open, waits for one, and prints a
 * `FloodOutcome`.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { runningClock } from '@/db/testing/running-clock';

export interface Flood {
  origin: string;
  /** Used in turn. */
  keys: string[];
  path: string;
  /** `#` is replaced by a new number in each request; null: a GET. */
  body: string | null;
  connections: number;
  /** Null: as fast as responses arrive. */
  perSecond: number | null;
  seconds: number;
}

export interface FloodOutcome {
  sent: number;
  /** Counts by status; `failed` where the connection closed first. */
  statuses: Record<string, number>;
  /** 429 and 503 responses without Retry-After. */
  withoutRetryAfter: number;
  slowestMs: number;
  /** From the first request to the last response. */
  tookSeconds: number;
}

const flood = JSON.parse(process.argv[2] ?? '') as Flood;
const outcome: FloodOutcome = { sent: 0, statuses: {}, withoutRetryAfter: 0, slowestMs: 0, tookSeconds: 0 };
const { hostname, port } = new URL(flood.origin);
/** Idle connections. */
const idle = new Set<Connection>();
/** Runs from the first request; time in which the machine stalls does not count. */
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

/** Sends one request after the other; a raw socket costs a fraction of an HTTP client. */
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

/** Starts the requests due by now. */
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

// One after the other: connections beyond the listen queue would be retried after one to three seconds.
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
// All connections close after their last responses, and the process exits.
process.once('beforeExit', () => process.stdout.write(JSON.stringify(outcome)));
