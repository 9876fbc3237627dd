import { queriesOn } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { systemClock } from '@/server/domain/kernel/clock';
import { takeBack } from '@/server/domain/merchant-archive';
import { closeMerchant, ensureAtHome, openMerchant } from '@/server/domain/merchants';
import { ensureEnvironment } from '@/server/process/readiness';
import { asOwner, databaseEnvironment } from './database';
import { findNamed } from './merchant';
import { readSubject } from './run';

const usage = '<id or name>';
const takeBackOption = { 'take-back': { type: 'boolean' } } as const;

/** Opens or closes the named merchant in a database transaction. Reports if there is nothing to do. */
async function change(
  args: string[],
  state: 'open' | 'closed',
  options: Parameters<typeof readSubject>[1],
  execute: (db: Queries, merchantId: string) => Promise<boolean>,
): Promise<void> {
  const { subject: given, values } = readSubject('the merchant', options, args);
  const said = await asOwner(async (owner) => {
    const { id, name } = await findNamed(queriesOn(owner), given);
    const isChanged = await owner.begin(async (connection) => {
      const db = queriesOn(connection);
      if (values['take-back']) await takeBack(db, id);
      await ensureAtHome(db, { id, name });
      return execute(db, id);
    });
    return `${name} ${isChanged ? 'is' : 'was already'} ${state}.\n`;
  });
  process.stdout.write(said);
}

export const closing = {
  usage,
  main: (args: string[]) => change(args, 'closed', {}, (db, id) => closeMerchant(db, id, systemClock.now())),
};

export const opening = {
  usage: `${usage} [--take-back]`,
  main: (args: string[]) =>
    change(args, 'open', takeBackOption, async (db, id) => {
      const environment = databaseEnvironment() === 'production' ? 'live' : 'sandbox';
      const isOpened = await openMerchant(db, { environment, systemClock }, id);
      // Refused if the merchant's keys are of another environment, because they would work again.
      await ensureEnvironment(db, environment);
      return isOpened;
    }),
};
