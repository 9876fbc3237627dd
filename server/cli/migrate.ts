/** `npm run migrate`: brings the database to the current schema, as its owner. */
import { isLockedOut, migrate, RoleNotGranted } from '@/db/migrate';
import { StartupError } from '../env';
import { nameOf, withDatabase } from './database';
import { run } from './run';

run(async () => {
  const where = await withDatabase(async (ownerUrl) => {
    await migrate(ownerUrl);
    return nameOf(ownerUrl);
  }).catch((error) => {
    if (error instanceof RoleNotGranted) throw new StartupError(error.message);
    if (!isLockedOut(error)) throw error;
    throw new StartupError('A table is in use: nothing is migrated. Stop the service and long queries, and try again.');
  });
  process.stdout.write(`The database ${where} has the current schema.\n`);
});
