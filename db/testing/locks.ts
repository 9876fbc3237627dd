import type postgres from 'postgres';
import { expect, vi } from 'vitest';

/** Resolves once that many queries on the database wait for a lock. */
export const waitForLocks = (owner: postgres.Sql, count: number) =>
  vi.waitFor(
    async () => {
      const waiting = await owner`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      expect(waiting.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 10_000, interval: 10 },
  );
