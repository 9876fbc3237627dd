import type { Task, TaskList } from 'graphile-worker';
import { inSpan, readTraceparent } from '@/server/observe/spans';

/** Wraps tasks so that each job is a trace of its own, linked to the request that queued it. */
export const recordSpans = (tasks: TaskList): TaskList =>
  Object.fromEntries(Object.entries(tasks).flatMap(([name, task]) => (task ? [[name, record(name, task)]] : [])));

const record =
  (name: string, task: Task): Task =>
  (payload, helpers) => {
    const queuedIn = readTraceparent((payload as { traceparent?: unknown }).traceparent);
    const links = queuedIn ? [{ context: queuedIn.spanContext() }] : [];
    return inSpan(`job ${name}`, async () => task(payload, helpers), {
      kind: 'consumer',
      links,
      parent: null,
      attributes: { 'loyalty.job.attempt': helpers.job.attempts },
    });
  };
