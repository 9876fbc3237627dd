import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const statusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers a request that is not HTTP or does not arrive in time, and closes the connection. Like Node itself, but with
 * `headers`.
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex, headers: Map<string, string>): void {
  // Node's own record of the response in progress. Further bytes would become a part of it.
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse };
  if (!socket.writable || current?.headersSent) return void socket.destroy();
  const lines = [
    `HTTP/1.1 ${statusLines[error.code ?? ''] ?? '400 Bad Request'}`,
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    'Content-Length: 0',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
}
