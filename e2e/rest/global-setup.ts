import type { TestProject } from 'vitest/node';
import { cloneDatabase } from '@/db/testing/database';
import { readEnv } from '@/server/env';
import { createLogger } from '@/server/log';
import { startNext } from '@/server/next-process';
import { testSecret } from '@/server/testing/factory';
import { serviceEnvironment } from '../fixtures/service-environment';

declare module 'vitest' {
  interface ProvidedContext {
    /** A service that runs already, for all files of the REST suites; null: each file starts its own. */
    restService: { origin: string; databaseUrl: string } | null;
  }
}

/** With REST_TARGET=next, starts the production build of Next alone, whose route handler serves the same API. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('restService', null);
  if (process.env.REST_TARGET !== 'next') return async () => {};
  const database = await cloneDatabase(project.getProvidedContext().adminUrl);
  Object.assign(process.env, serviceEnvironment({ DATABASE_URL: database.url, DATA_SECRET: testSecret }));
  const next = await startNext(readEnv(process.env), createLogger('silent'), 'start');
  project.provide('restService', { origin: next.origin, databaseUrl: database.url });
  return async () => {
    await next.stop();
    await database.drop();
  };
}
