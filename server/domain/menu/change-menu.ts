import { isUniqueViolation, type Tx, withMerchant } from '@/db/client';
import { announce } from '../core/changes';
import { DomainError, invalid } from '../core/errors';
import type { StaffContext } from '../staff/context';

/**
 * Runs `work` as one change of the merchant's menu. Changes of a menu follow one another, so that an order of positions
 * is never made from two halves; open screens are told.
 */
export function changeMenu<T>(ctx: StaffContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await tx.sql`select from merchants where id = ${tx.merchantId} for no key update`;
    const result = await work(tx);
    await announce(tx, 'menu');
    return result;
  });
}

/** What a change of several entries at once is a change of, in the trail. */
export const wholeMenu = ({ merchantId }: Tx) => ({ kind: 'menu', id: merchantId });

export const notOnMenu = (what: string) => new DomainError('menu_entry_not_found', `The menu has no such ${what}.`);

/** Errors: `invalid_request` at `path` in place of the breach of the unique `constraint`. */
export async function orTaken<T>(work: Promise<T>, constraint: string, path: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error, constraint) ? invalid(path, 'is on the menu already') : error;
  }
}
