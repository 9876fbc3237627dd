/** `npm run migrate`: brings the database to the current schema, signed in as its owner. */
import { migrate } from '@/db/migrate';
import { nameOf, withDatabase } from './database';
import { run } from './run';

run(async () => {
  const where = await withDatabase(async (ownerUrl) => {
    await migrate(ownerUrl);
    return nameOf(ownerUrl);
  });
  process.stdout.write(`The database ${where} has the current schema.\n`);
});
