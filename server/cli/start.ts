/** `npm start`: runs the production service on an existing, migrated database. */
import { readEnv } from '../process/env';
import { startService } from '../process/service';
import { run, stopSignal } from './run';

run(async () => {
  const service = await startService(readEnv(process.env), 'start');
  await stopSignal();
  await service.stop();
  process.exit(0);
});
