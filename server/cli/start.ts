import { readEnv } from '../environment/env';
import { startService } from '../process/service';
import { readOptions, stopSignal } from './run';

/** Runs the production service on an existing, migrated database. */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const service = await startService(readEnv(process.env), 'start');
  await service.stop(await stopSignal());
  process.exit(0);
}
