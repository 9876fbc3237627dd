/** `npm run migrate`: brings the database to the current schema, as its owner. */
import { isLockedOut, migrate, RoleNotGranted } from '@/db/migrate';
import { StartupError } from '../env';
import { withDatabase } from './demo-environment';
import { run } from './run';

run(async () => {
  await withDatabase(migrate).catch((error) => {
    if (error instanceof RoleNotGranted) throw new StartupError(error.message);
    if (!isLockedOut(error)) throw error;
    throw new StartupError('A table is in use: nothing is migrated. Stop the service and long queries, and try again.');
  });
  process.stdout.write('The database has the current schema.\n');
});
