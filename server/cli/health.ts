import { isIPv6 } from 'node:net';
import { readEnv } from '../process/env';
import { readOptions } from './run';

/**
 * Asks the service of this environment whether it is ready, for a container's health check. Exits with 1 if it is not.
 */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const { HOST, PORT } = readEnv(process.env);
  // A service on all addresses also answers on this one.
  const host = isIPv6(HOST) ? `[${HOST}]` : HOST;
  const origin = ['0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host;
  const response = await fetch(`http://${origin}:${PORT}/api/ready`, { signal: AbortSignal.timeout(2_500) }).catch(
    () => null,
  );
  process.stdout.write(`${response ? await response.text() : 'The service does not answer.'}\n`);
  if (!response?.ok) process.exitCode = 1;
}
