/** A process's metrics for Prometheus (listed in docs/operations.md). Labels never name a merchant or a person. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export const metricsRegistry = new Registry();
/** The metrics of a process, as one process sends them to another. */
export type MetricFamilies = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
const registers = [metricsRegistry];
const buckets = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

export const restRequests = new Histogram({
  name: 'loyalty_rest_request_duration_seconds',
  help: 'Requests of the REST API, by operation and status.',
  labelNames: ['operation', 'status'],
  buckets,
  registers,
});

export const restRefusals = new Counter({
  name: 'loyalty_rest_refusals_total',
  help: 'Refused or failed requests of the REST API, by error code.',
  labelNames: ['code'],
  registers,
});

export const pageRequests = new Histogram({
  name: 'loyalty_page_request_duration_seconds',
  help: 'Requests that Next answered, by who uses them and class of status. Event streams are not counted.',
  labelNames: ['face', 'status'],
  buckets,
  registers,
});

export const groupSizes = new Histogram({
  name: 'loyalty_group_commit_transactions',
  help: 'Transactions of tills that shared one database transaction.',
  buckets: [1, 2, 4, 8, 16, 32, 64, 128],
  registers,
});

export const jobSeconds = new Histogram({
  name: 'loyalty_job_duration_seconds',
  help: 'Jobs of the worker, by task and outcome (done, failed).',
  labelNames: ['task', 'outcome'],
  buckets: [0.01, 0.1, 1, 10, 60, 600],
  registers,
});

export const webhookDeliveries = new Counter({
  name: 'loyalty_deliveries_total',
  help: 'Attempts to send a message, by channel (whatsapp, mail, webhook) and outcome (sent, refused, retry).',
  labelNames: ['channel', 'outcome'],
  registers,
});

interface GaugeFamily {
  name: string;
  help: string;
  labelNames?: string[];
  /** Reads the values when Prometheus asks. If it fails, the gauge is left out. */
  read(): Reading[] | Promise<Reading[]>;
}

interface Reading {
  labels?: Record<string, string>;
  value: number;
}

/** Shorter than Prometheus's timeout, so that a busy database does not prevent other readings. */
const readingMs = 800;

/** Resolves with `otherwise` if `reading` fails or takes too long. */
export function inTime<T>(reading: T | Promise<T>, otherwise: T): Promise<T> {
  const late = new Promise<T>((resolve) => setTimeout(resolve, readingMs, otherwise).unref());
  return Promise.race([Promise.resolve(reading).catch(() => otherwise), late]);
}

/** Adds a gauge that is read when Prometheus asks. */
export function addGauge({ name, help, labelNames = [], read }: GaugeFamily): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers,
    async collect() {
      const readings = await inTime(read(), []);
      this.reset();
      for (const { labels = {}, value } of readings) this.set(labels, value);
    },
  });
}

/** Adds what every Node process has: CPU, memory, event-loop lag, garbage collection. */
export const collectProcessMetrics = (): void => collectDefaultMetrics({ register: metricsRegistry });
