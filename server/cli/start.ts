/** `npm start`: the production service, on a database that exists and is migrated. */
import { readEnv } from '../env';
import { startService } from '../service';
import { run, stopSignal } from './run';

run(async () => {
  const service = await startService(readEnv(process.env), 'start');
  await stopSignal();
  await service.stop();
  process.exit(0);
});
