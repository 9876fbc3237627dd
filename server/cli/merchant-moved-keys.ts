import { queriesOn } from '@/db/driver';
import { listMovedKeys } from '@/server/domain/merchants';
import { asOwner } from './database';
import { readOptions } from './run';

export const usage = '> moved-keys.map';

/** Prints a line of the router's map for each key of a merchant that has left this cell: its hash, and its new cell. */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const keys = await asOwner((owner) => listMovedKeys(queriesOn(owner)));
  for (const { hash, cell } of keys) process.stdout.write(`${hash.toString('hex')} ${cell}\n`);
}
