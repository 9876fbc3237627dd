import type { Server } from 'node:http';
import { networkOf } from './client-address';

const most = 5_000;
/** A restaurant full of guests, each with a few; who asks for more is refused until some are closed. */
const mostOfNetwork = 1_000;

/** Bounds how many connections there are, and how slow they may be. Behind a proxy of ours all have its address. */
export function boundConnections(server: Server, trustedProxies: number): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  // A client that reads nothing for this long is gone; an event stream is never silent for as long.
  server.timeout = 60_000;
  server.maxConnections = most;
  if (trustedProxies > 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    if (count > mostOfNetwork) return void socket.destroy();
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 0) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
