import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a free TCP port on the loopback interface, outside the ephemeral range. An outgoing connection could take an
 * ephemeral port while its server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if ((await listenProblem(port)) === null) return port;
  }
}

/**
 * Returns the error code that prevents listening on this port of `host` (`EADDRINUSE`, `EACCES` …), or null if the port
 * is free.
 */
export function listenProblem(port: number, host = '127.0.0.1'): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer().on('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}
