import { queriesOn } from '@/db/client';
import { closeMerchant, openMerchant } from '@/server/domain/merchants';
import { asOwner } from './database';
import { findNamed } from './merchant';
import { readSubject } from './run';

const usage = '<id or name>';

/** `merchant close` and `merchant open`. Both say so if there is nothing to do. */
const command = (isToClose: boolean) => ({
  usage,
  async main(args: string[]): Promise<void> {
    const given = readSubject('the merchant', {}, args).subject;
    const said = await asOwner(async (owner) => {
      const { id, name } = await findNamed(queriesOn(owner), given);
      const isChanged = await owner.begin((connection) => {
        const db = queriesOn(connection);
        return isToClose ? closeMerchant(db, id, new Date()) : openMerchant(db, id, new Date());
      });
      return `${name} ${isChanged ? 'is' : 'was already'} ${isToClose ? 'closed' : 'open'}.\n`;
    });
    process.stdout.write(said);
  },
});

export const closing = command(true);
export const opening = command(false);
