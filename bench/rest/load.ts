/** A process that sends load on request: for a given time, from a given number of clients. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createHistogram } from 'node:perf_hooks';
import type { BareSettings } from './bare';
import type { Load, Supplies } from './jobs';
import { bundledPath, childOptions } from './processes';

export interface Order {
  load: Load;
  clients: number;
  seconds: number;
  /** Maximum requests per second; without it, as many as get responses. */
  perSecond?: number;
  /** Where the service listens; several get equal shares. */
  origins: string[];
}

/** The results of an order; times in milliseconds. */
export interface Sent {
  requests: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
}

export interface LoadSettings {
  supplies: Supplies;
  /** For a load directly on the database, without a server. */
  bare?: BareSettings;
}

/** The child's side: executes each order with `send`, which calls `record` with the milliseconds of each response. */
export function obeyOrders(
  prepare: (settings: LoadSettings) => (order: Order, record: (ms: number) => void) => Promise<void>,
): void {
  let send: ReturnType<typeof prepare>;
  process.on('message', async (message: { settings: LoadSettings } | { order: Order }) => {
    if ('settings' in message) {
      send = prepare(message.settings);
      return;
    }
    const latencies = createHistogram();
    let requests = 0;
    const start = performance.now();
    await send(message.order, (ms) => {
      requests += 1;
      latencies.record(Math.max(1, Math.round(ms * 1_000)));
    });
    const perSecond = (requests * 1_000) / (performance.now() - start);
    const [p50, p95, p99] = [50, 95, 99].map((p) => latencies.percentile(p) / 1_000);
    process.send?.({ requests, perSecond, p50, p95, p99 });
  });
}

export interface Sender {
  send(order: Order): Promise<Sent>;
  stop(): void;
}

/** Starts the bundled process `name`, which executes orders. */
export function startSender(name: 'load-process' | 'loop-process', settings: LoadSettings): Sender {
  const child: ChildProcess = fork(bundledPath(name), childOptions());
  child.send({ settings });
  const died = once(child, 'exit').then(() => {
    throw new Error('the process that sends load died');
  });
  died.catch(() => {});
  return {
    send: async (order) => {
      child.send({ order });
      const [answer] = await Promise.race([once(child, 'message'), died]);
      return answer;
    },
    stop: () => child.kill(),
  };
}
