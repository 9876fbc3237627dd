/** `npm run worker`: the worker alone, for set-ups that run it apart from the service. */
import { createServices } from '../database';
import { readEnv } from '../env';
import { startWorker } from '../jobs/worker';
import { createLogger } from '../log';
import { checkDatabase } from '../readiness';
import { run, stopSignal } from './run';

run(async () => {
  const settings = readEnv(process.env);
  const services = createServices(settings);
  const stopped = stopSignal();
  await checkDatabase(services.db);
  const worker = await startWorker(services, settings, createLogger(settings.LOG_LEVEL));
  await stopped;
  await worker.stop();
  await services.db.close();
  process.exit(0);
});
