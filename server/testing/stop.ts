import type { Sql } from '@/db/driver';

/** Stops the writes of a merchant that is about to leave for another cell, while `work` runs. */
export async function whileStopped<T>(owner: Sql, merchantId: string, work: () => Promise<T>): Promise<T> {
  await owner`
    insert into merchant_moves (merchant_id, state, cell, stopped_at) values (${merchantId}, 'leaving', 'west', now())
    on conflict (merchant_id) do update set stopped_at = now()`;
  try {
    return await work();
  } finally {
    await owner`update merchant_moves set stopped_at = null where merchant_id = ${merchantId}`;
  }
}
