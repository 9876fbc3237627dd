import { expect, vi } from 'vitest';
import type { Sql } from '@/db/driver';

/**
 * Resolves once all events of a database can be read. They wait for every transaction that began before them, including
 * those of other tests' databases on the same PostgreSQL.
 */
export const waitForEvents = (owner: Sql) =>
  vi.waitFor(
    async () => {
      const [row] = await owner`
        select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > coalesce(max(xid), 0) as "areFinal" from events`;
      expect(row?.areFinal).toBe(true);
    },
    { timeout: 40_000, interval: 10 },
  );
