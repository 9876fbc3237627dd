import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The test's requests and calls, and how many of them returned an error. */
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
