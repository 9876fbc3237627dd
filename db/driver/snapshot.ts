/** What a database held at one moment, to be read for as long as it takes. */
import type postgres from 'postgres';
import type { Queries } from '../query/queries';
import { queriesOn } from './client';
import { copySettings } from './copy';

export interface Snapshot {
  db: Queries;
  end(): Promise<void>;
}

/** Opens a snapshot as of now, in which values have the same texts whatever the database's settings. */
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
