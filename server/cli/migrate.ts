import { migrate } from '@/db/operations/migrate';
import { nameOf, ownerAddress } from './database';
import { readOptions } from './run';

/** Brings the database to the current schema, signed in as its owner, while the service may run. */
export async function main(args: string[]): Promise<void> {
  readOptions({}, args);
  const address = await ownerAddress();
  const state = await migrate(address, (tag) => process.stdout.write(`Applying ${tag}.\n`));
  const schema = state === 'newer' ? 'the schema of a later release, on which this one can run' : 'the current schema';
  process.stdout.write(`The database ${nameOf(address)} has ${schema}.\n`);
}
