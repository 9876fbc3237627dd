import { currentSpan, traceparentOf } from '@/server/observe/spans';

/** Returns a job's payload, with the span that queues it: the worker links the job's span to it. */
export const jobPayload = (content: object): string =>
  JSON.stringify({ ...content, traceparent: traceparentOf(currentSpan()) });
