import { expect, vi } from 'vitest';
import type { Sql } from '../driver';

/** Resolves once `count` queries on the database wait for a lock. */
export const waitForLocks = (owner: Sql, count: number) =>
  vi.waitFor(
    async () => {
      const waiting = await owner`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      expect(waiting.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 40_000, interval: 10 },
  );
