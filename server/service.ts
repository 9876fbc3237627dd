import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { isFree } from '@/db/embedded';
import { createServices } from './database';
import { type Env, StartupError } from './env';
import { createFrontDoor } from './front-door';
import { startWorker } from './jobs/worker';
import { createLogger } from './log';
import { startNext } from './next-process';
import { checkDatabase } from './readiness';

/**
 * Runs the whole service until `stop`: Next, the worker, and the front door on `PORT`. Errors: `StartupError` for a taken port or a
 * database that can't be used.
 */
export async function startService(settings: Env, mode: 'start' | 'dev'): Promise<{ stop(): Promise<void> }> {
  const { PORT, HOST } = settings;
  const taken = () => new StartupError(`Port ${PORT} is taken: stop what listens there, or set PORT to another.`);
  if (!(await isFree(PORT, HOST))) throw taken();
  if (mode === 'start' && !existsSync('.next/BUILD_ID')) throw new StartupError('Not built yet: run npm run build.');
  const log = createLogger(settings.LOG_LEVEL);
  const services = createServices(settings);
  try {
    await checkDatabase(services.db);
    const next = await startNext(settings, log, mode);
    const worker = await startWorker(services, settings, log);
    const server = createFrontDoor({ services, settings, log, nextOrigin: next.origin });
    server.listen(PORT, HOST);
    await once(server, 'listening').catch(async () => {
      await Promise.all([next.stop(), worker.stop()]);
      throw taken();
    });
    return {
      stop: async () => {
        // Answers under way are finished; idle connections are not waited for.
        const closed = new Promise((done) => server.close(done));
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 3_000).unref();
        await Promise.all([closed, next.stop(), worker.stop()]);
        await services.db.close();
      },
    };
  } catch (error) {
    await services.db.close();
    throw error;
  }
}
