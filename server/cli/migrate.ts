/** `npm run migrate`: brings the database to the current schema, as its owner. */
import { migrate } from '@/db/migrate';
import { openDatabase } from './demo-environment';
import { run } from './run';

run(async () => {
  const database = await openDatabase();
  await migrate(database.ownerUrl);
  await database.stop();
  process.stdout.write('The database has the current schema.\n');
});
