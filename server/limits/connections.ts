import type { Server } from 'node:http';
import { networkOf } from '../domain/kernel/networks';
import { isTrusted, type TrustedProxies } from './client-address';

const maxConnections = 5_000;
/**
 * Enough for a restaurant full of guests with several connections each. Further ones are refused until some are closed.
 */
const maxConnectionsPerNetwork = 1_000;

/**
 * Limits the number of connections and their idle time. The limit per network does not apply to our own proxies,
 * because all of their connections come from one address.
 */
export function boundConnections(server: Server, trustedProxies: TrustedProxies): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  // A client that reads nothing for this long is gone. Event streams are never silent for as long.
  server.timeout = 60_000;
  server.maxConnections = maxConnections;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrusted(address, trustedProxies)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > maxConnectionsPerNetwork) return void socket.destroy();
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 0) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
