import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '@/db/startup-error';
import { releaseRoot } from '@/server/observe/release';
import type { Env } from '../environment/env';
import { createServices } from '../environment/services';
import { startWorker } from '../jobs/worker';
import { warnOfProxies } from '../limits/client-address';
import { createLogger } from '../observe/log';
import { startTracing } from '../observe/tracing';
import { createFrontDoor } from './front-door';
import { addressOf, logStart, logStop, metricsAddress } from './lifetime';
import { serveMetrics } from './metrics-server';
import { startNext } from './next-process';
import { endEventStreams } from './next-proxy';
import { ensureListenerIsPrivate, ensurePortIsFree, portProblem } from './port';
import { checkDatabase, recordCell, warnOfNeighbours } from './readiness';
import { readStaticFiles } from './static-files';

interface Service {
  /** `reason` is logged. */
  stop(reason: string): Promise<void>;
}

/** Longer than any response takes. */
const maxFinishMs = 5_000;

/**
 * Runs the whole service until `stop`: Next, the worker, and the front door on `PORT`. If anything fails to start, the
 * rest is stopped. Errors: `StartupError` for a taken port or a database that can't be used.
 */
export async function startService(settings: Env, mode: 'start' | 'dev'): Promise<Service> {
  const { PORT, HOST } = settings;
  await ensureListenerIsPrivate(settings);
  await ensurePortIsFree(PORT, HOST);
  if (mode === 'start' && !existsSync(join(releaseRoot, '.next', 'BUILD_ID')))
    throw new StartupError('Not built yet: run npm run build.');
  const log = createLogger(settings.LOG_LEVEL);
  const services = createServices(settings);
  const stopSteps: (() => Promise<unknown>)[] = [() => services.db.close()];
  let isDraining = false;
  const stop = async () => {
    for (const stopStep of stopSteps.reverse()) await stopStep();
  };
  try {
    const tracing = await startTracing('service', settings.OTEL_EXPORTER_OTLP_ENDPOINT, log);
    stopSteps.push(tracing.stop);
    await checkDatabase(services);
    await recordCell(services);
    await warnOfNeighbours(services, log);
    const next = await startNext(settings, log, mode);
    stopSteps.push(next.stop);
    const metrics = await serveMetrics(settings, services, next.metrics);
    stopSteps.push(metrics.stop);
    const worker = await startWorker(services, settings, log);
    stopSteps.push(worker.stop);
    const server = createFrontDoor({
      services,
      log,
      nextOrigin: next.origin,
      files: mode === 'start' ? await readStaticFiles() : undefined,
      isDev: mode === 'dev',
      trustedProxies: settings.TRUSTED_PROXIES,
      allowedHosts: settings.ALLOWED_HOSTS,
      isNextUp: next.isUp,
      isDraining: () => isDraining,
    });
    warnOfProxies(server, log, settings.TRUSTED_PROXIES);
    server.listen(PORT, HOST);
    await once(server, 'listening').catch((error) => {
      throw portProblem(PORT, HOST, error.code);
    });
    // Stopped first: requests in progress finish while Next and the worker still run, and idle connections are closed.
    stopSteps.push(async () => {
      isDraining = true;
      await wait(settings.DRAIN_SECONDS * 1000);
      const closed = new Promise((done) => server.close(done));
      endEventStreams();
      // Repeated, because busy connections become idle once their request is answered.
      const closing = setInterval(() => server.closeIdleConnections(), 50);
      setTimeout(() => server.closeAllConnections(), maxFinishMs).unref();
      await closed;
      clearInterval(closing);
    });
    const listening = [addressOf(HOST, PORT), ...metricsAddress(settings)];
    await logStart(log, { program: 'service', settings, db: services.db, listening });
    return { stop: (reason) => logStop(log, reason, stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}
