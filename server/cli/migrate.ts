/** `npm run migrate`: brings the database to the current schema, as its owner. */
import { migrate } from '@/db/migrate';
import { withDatabase } from './demo-environment';
import { run } from './run';

run(async () => {
  await withDatabase(migrate);
  process.stdout.write('The database has the current schema.\n');
});
