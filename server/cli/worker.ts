import { startWorker } from '../jobs/worker';
import { createLogger } from '../observe/log';
import { startTracing } from '../observe/tracing';
import { readEnv } from '../process/env';
import { logStart, logStop, metricsAddress } from '../process/lifetime';
import { serveMetrics } from '../process/metrics-server';
import { checkDatabase, recordCell, warnOfNeighbours } from '../process/readiness';
import { createServices } from '../process/services';
import { readOptions, stopSignal } from './run';

/** Runs only the worker, for deployments that separate it from the service. */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const settings = readEnv(process.env);
  const services = createServices(settings);
  const stopped = stopSignal();
  const log = createLogger(settings.LOG_LEVEL);
  const tracing = await startTracing('worker', settings.OTEL_EXPORTER_OTLP_ENDPOINT, log);
  await checkDatabase(services);
  await recordCell(services);
  await warnOfNeighbours(services, log);
  const worker = await startWorker(services, settings, log);
  const metrics = await serveMetrics(settings, services);
  await logStart(log, { program: 'worker', settings, db: services.db, listening: metricsAddress(settings) });
  await logStop(log, await stopped, async () => {
    await worker.stop();
    await metrics.stop();
    await tracing.stop();
    await services.db.close();
  });
  process.exit(0);
}
