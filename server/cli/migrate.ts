import { migrate } from '@/db/migrate';
import { nameOf, ownerAddress } from './database';
import { readOptions } from './run';

/** Brings the database to the current schema, signed in as its owner. */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const address = await ownerAddress();
  await migrate(address);
  process.stdout.write(`The database ${nameOf(address)} has the current schema.\n`);
}
