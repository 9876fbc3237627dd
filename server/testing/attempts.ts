import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Requests and calls of the test, and how many of them were answered with an error. */
    attempts?: number;
    refused?: number;
  }
}

/** Counts a request or call of the running test, for the table of `npm run proof:access`. */
export function countAttempt(isRefused: boolean): void {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (!meta) return;
  meta.attempts = (meta.attempts ?? 0) + 1;
  meta.refused = (meta.refused ?? 0) + (isRefused ? 1 : 0);
}
