import type { TestProject } from 'vitest/node';
import { cloneDatabase } from '@/db/testing/clone';
import { secretsIn } from '@/db/testing/secrets';
import { ensureApiFiles } from '@/server/cli/generate/api-files';
import { createLogger } from '@/server/observe/log';
import { readEnv } from '@/server/process/env';
import { startNext } from '@/server/process/next-process';
import { testSecret } from '@/server/testing/factory';
import { serviceEnvironment } from '../fixtures/service-environment';

declare module 'vitest' {
  interface ProvidedContext {
    /** A service that runs already, for all files of the REST suites; null: each file starts its own. */
    restService: { origin: string; databaseUrl: string } | null;
  }
}

/**
 * With REST_TARGET=next, starts the production build of Next alone, whose route handler serves the same API. The run fails
 * where its log or its rows hold a secret.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  ensureApiFiles();
  project.provide('restService', null);
  if (process.env.REST_TARGET !== 'next') return async () => {};
  const database = await cloneDatabase(project.getProvidedContext().adminUrl);
  const own = { DATABASE_URL: database.url, DATA_SECRET: testSecret, LOG_LEVEL: 'info' };
  Object.assign(process.env, serviceEnvironment(own));
  const log = searchedLog();
  const next = await startNext(readEnv(process.env), createLogger('silent'), 'start', { output: log });
  // So that there is a line of a request, whatever the tests are.
  await fetch(`${next.origin}/api/v1/ping`);
  project.provide('restService', { origin: next.origin, databaseUrl: database.url });
  return async () => {
    try {
      await next.stop();
      await database.drop();
      log.check();
    } catch (error) {
      // An error would be told, but not fail the run.
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
      process.exitCode = 1;
    }
  };
}

/** A log whose lines are searched for secrets rather than kept. */
function searchedLog(): { write(line: string): void; check(): void } {
  const secrets: string[] = [];
  let requests = 0;
  return {
    write(line) {
      secrets.push(...secretsIn(line));
      if (line.includes('"msg":"request"')) requests += 1;
    },
    check() {
      if (requests === 0) throw new Error("Next's log has no line of a request: there was nothing to search");
      if (secrets.length > 0) throw new Error(`the log holds what it should not:\n${secrets.slice(0, 20).join('\n')}`);
    },
  };
}
