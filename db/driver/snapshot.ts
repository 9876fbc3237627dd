/** A fixed view of what a database holds at one moment, which can be read for any length of time. */
import type postgres from 'postgres';
import type { Queries } from '../query/queries';
import { queriesOn } from './client';
import { copySettings } from './copy';

export interface Snapshot {
  db: Queries;
  end(): Promise<void>;
}

/** Opens a snapshot as of now. Values have the same texts in it, whatever the database's settings are. */
export async function openSnapshot(owner: Pick<postgres.Sql, 'reserve'>): Promise<Snapshot> {
  const connection = await owner.reserve();
  await connection.unsafe('begin isolation level repeatable read read only');
  const db = queriesOn(connection);
  await db.run(copySettings);
  return {
    db,
    end: async () => {
      await connection.unsafe('rollback').catch(() => {});
      connection.release();
    },
  };
}
