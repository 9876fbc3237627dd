import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free TCP port on the loopback interface, outside the ephemeral range: a restarted server may find that an outgoing
 * connection has taken an ephemeral port, even a client's connection to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if ((await listenProblem(port)) === null) return port;
  }
}

/**
 * The error code that prevents listening on this port of `host` (`EADDRINUSE`, `EACCES` …); null where the port is
 * free.
 */
export function listenProblem(port: number, host = '127.0.0.1'): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer().on('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}
