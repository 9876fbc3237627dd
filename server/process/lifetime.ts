/** The first and the last lines of a process's log. */

import type { Database } from '@/db/driver';
import { newestMigration } from '@/db/operations/migrations-folder';
import type { Logger } from '../observe/log';
import type { Env } from './env';
import { readiness } from './readiness';

interface Started {
  program: 'service' | 'worker';
  settings: Env;
  db: Database;
  /** Host and port of each listener. */
  listening: string[];
}

/** Logs what runs here, and on which schema. */
export async function logStart(log: Logger, { program, settings, db, listening }: Started): Promise<void> {
  const { migrations } = await readiness(db);
  const { APP_ENV: environment, PUBLIC_ORIGIN: origin } = settings;
  const facts = { program, node: process.version, schema: newestMigration().tag, migrations, environment, origin };
  log.info({ ...facts, listening }, 'started');
}

/** Logs that the process is asked to stop, and after `stop`, that it has, with the seconds that took. */
export async function logStop(log: Logger, reason: string, stop: () => Promise<void>): Promise<void> {
  const askedAt = performance.now();
  log.info({ reason }, 'stopping');
  await stop();
  log.info({ reason, seconds: Math.round(performance.now() - askedAt) / 1000 }, 'stopped');
}

/** Where the metrics are served; nothing without a port. */
export const metricsAddress = ({ METRICS_HOST, METRICS_PORT }: Env): string[] =>
  METRICS_PORT === undefined ? [] : [addressOf(METRICS_HOST, METRICS_PORT)];

export const addressOf = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
