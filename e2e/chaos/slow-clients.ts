/** Connections that cost a server the most with the least effort: they send or read as little as they can. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface SlowClients {
  /** Connections that the service has not cut off yet, by their slow part. */
  open(): { headers: number; bodies: number; readers: number };
  stop(): void;
}

const drippingMs = 500;

/**
 * Opens `each` connections that never finish their headers, `each` that never finish their body, and `each` that send
 * requests without end and read nothing. Those with a body have a separate key, because the limit of the endless
 * senders would reject them. Resolves when all are connected.
 */
export async function startSlowClients(
  origin: string,
  keys: { bodies: string; readers: string },
  each: number,
): Promise<SlowClients> {
  const { hostname, port } = new URL(origin);
  const dial = (opening: string): Socket => {
    const socket = connect(Number(port), hostname, () => socket.write(opening));
    return socket.on('error', () => {});
  };
  const many = (make: () => Socket) => Array.from({ length: each }, make);
  const ping = `GET /api/v1/ping HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${keys.readers}\r\n\r\n`;
  const headers = many(() => dial('GET /api/v1/ping HTTP/1.1\r\nhost: localhost\r\n'));
  const bodies = many(() =>
    dial(
      `POST /api/v1/sales HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${keys.bodies}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`,
    ),
  );
  const readers = many(() => dial(ping.repeat(20)).pause());
  // A closed connection is noticed only by reading.
  for (const socket of [...headers, ...bodies]) socket.resume();
  const dripping = setInterval(() => {
    for (const socket of headers) if (!socket.destroyed) socket.write('a: b\r\n');
    for (const socket of bodies) if (!socket.destroyed) socket.write(' ');
    for (const socket of readers)
      if (!socket.destroyed && socket.writableLength < 100_000) socket.write(ping.repeat(20));
  }, drippingMs);
  await Promise.all([...headers, ...bodies, ...readers].map((socket) => once(socket, 'connect')));
  const left = (sockets: Socket[]) => sockets.filter(({ destroyed }) => !destroyed).length;
  return {
    open: () => ({ headers: left(headers), bodies: left(bodies), readers: left(readers) }),
    stop: () => {
      clearInterval(dripping);
      for (const socket of [...headers, ...bodies, ...readers]) socket.destroy();
    },
  };
}
