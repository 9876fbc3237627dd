import { once } from 'node:events';
import { createServer } from 'node:http';
import { count, sql } from 'drizzle-orm';
import { AggregatorRegistry } from 'prom-client';
import { measureReplica } from '@/db/operations/replica';
import type { Services } from '../domain/kernel/context';
import type { Env } from '../environment/env';
import { addGauge, collectProcessMetrics, inTime, type MetricFamilies, metricsRegistry } from '../observe/metrics';
import { ensurePortIsFree } from './port';
import { readiness } from './readiness';

/**
 * Serves `/metrics` for Prometheus on `METRICS_PORT`, and nothing without one. `readNext` reads the metrics of Next's
 * process. Errors: `StartupError` for a taken port.
 */
export async function serveMetrics(
  { METRICS_PORT, METRICS_HOST }: Env,
  { db }: Services,
  readNext?: () => Promise<MetricFamilies | null>,
): Promise<{ stop(): Promise<void> }> {
  if (METRICS_PORT === undefined) return { stop: async () => {} };
  await ensurePortIsFree(METRICS_PORT, METRICS_HOST, 'METRICS_');
  metricsRegistry.setDefaultLabels({ process: readNext ? 'service' : 'worker' });
  collectProcessMetrics();
  addDatabaseGauges(db);
  const server = createServer(async ({ url, method }, response) => {
    if (url !== '/metrics' || method !== 'GET') return void response.writeHead(404).end();
    const [own, next] = await Promise.all([metricsRegistry.getMetricsAsJSON(), readNext?.()]);
    const all = AggregatorRegistry.aggregate(next ? [own, next] : [own]);
    response.writeHead(200, { 'content-type': all.contentType }).end(await all.metrics());
  });
  server.listen(METRICS_PORT, METRICS_HOST);
  await once(server, 'listening');
  return {
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function addDatabaseGauges(db: Services['db']): void {
  addGauge({
    name: 'loyalty_ready',
    help: '1 if the database answers at once and has the schema of this release, else 0.',
    read: async () => [{ value: Number(await inTime(isReady(db), false)) }],
  });
  addGauge({
    name: 'loyalty_database_transactions',
    help: 'Database transactions of this process, by state: running, or waiting for a connection.',
    labelNames: ['state'],
    read: () => Object.entries(db.usage).map(([state, value]) => ({ labels: { state }, value })),
  });
  addGauge({
    name: 'loyalty_jobs_due',
    help: 'Jobs that are due and wait for a worker, by task. The same in every process.',
    labelNames: ['task'],
    read: async () => (await readDueJobs(db)).map(({ task, due }) => ({ labels: { task }, value: due })),
  });
  addGauge({
    name: 'loyalty_oldest_due_job_seconds',
    help: 'For how long the oldest due job of a task has waited. The same in every process.',
    labelNames: ['task'],
    read: async () => (await readDueJobs(db)).map(({ task, age }) => ({ labels: { task }, value: age })),
  });
  const { replica } = db;
  if (!replica) return;
  addGauge({
    name: 'loyalty_replica_used',
    help: '1 if reports and exports are read from the replica, 0 if from the primary.',
    read: async () => [{ value: Number(await inTime(isReplicaUsed(db, replica), false)) }],
  });
  addGauge({
    name: 'loyalty_replica_behind_seconds',
    help: 'How far the replica is behind the primary. Missing where it does not answer.',
    read: async () => [{ value: (await measureReplica(db, replica)).behindMs / 1_000 }],
  });
}

const isReplicaUsed = async (...servers: Parameters<typeof measureReplica>) =>
  (await measureReplica(...servers)).isUsed;

const isReady = async (db: Services['db']): Promise<boolean> => (await readiness(db)).ready;

/** The queue's own tables: graphile-worker's documented view of them. */
const readDueJobs = ({ pool }: Services['db']) =>
  pool
    .select({
      task: sql<string>`task_identifier`,
      due: count(),
      age: sql<number>`extract(epoch from now() - min(run_at))::float8`,
    })
    .from(sql`graphile_worker.jobs`)
    .where(sql`locked_at is null and run_at <= now() and attempts < max_attempts`)
    .groupBy(sql`task_identifier`);
