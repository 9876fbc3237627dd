import { expect, vi } from 'vitest';
import type { Sql } from '@/db/driver';

/**
 * Resolves once all events of a database can be read: those of a change wait for every change that began before it, also
 * of other databases of the same PostgreSQL, which other tests use.
 */
export const waitForEvents = (owner: Sql) =>
  vi.waitFor(
    async () => {
      const [row] = await owner`
        select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > coalesce(max(xid), 0) as "areFinal" from events`;
      expect(row?.areFinal).toBe(true);
    },
    { timeout: 20_000, interval: 10 },
  );
