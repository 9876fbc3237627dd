import { queriesOn } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { systemClock } from '@/server/domain/kernel/clock';
import { closeMerchant, ensureAtHome, openMerchant } from '@/server/domain/merchants';
import { ensureEnvironment } from '@/server/process/readiness';
import { asOwner, databaseEnvironment } from './database';
import { findNamed } from './merchant';
import { readSubject } from './run';

const usage = '<id or name>';

/** Opens or closes the named merchant in a database transaction. Reports if there is nothing to do. */
async function change(
  args: string[],
  state: 'open' | 'closed',
  execute: (db: Queries, merchantId: string) => Promise<boolean>,
): Promise<void> {
  const given = readSubject('the merchant', {}, args).subject;
  const said = await asOwner(async (owner) => {
    const { id, name } = await findNamed(queriesOn(owner), given);
    const isChanged = await owner.begin(async (connection) => {
      const db = queriesOn(connection);
      await ensureAtHome(db, { id, name });
      return execute(db, id);
    });
    return `${name} ${isChanged ? 'is' : 'was already'} ${state}.\n`;
  });
  process.stdout.write(said);
}

export const closing = {
  usage,
  main: (args: string[]) => change(args, 'closed', (db, id) => closeMerchant(db, id, systemClock.now())),
};

export const opening = {
  usage,
  main: (args: string[]) =>
    change(args, 'open', async (db, id) => {
      const environment = databaseEnvironment() === 'production' ? 'live' : 'sandbox';
      const isOpened = await openMerchant(db, { environment, systemClock }, id);
      // Refused if the merchant's keys are of another environment, because they would work again.
      await ensureEnvironment(db, environment);
      return isOpened;
    }),
};
