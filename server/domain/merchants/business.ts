import { eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { businessColumns, merchants, type taxColumns } from '@/db/schema';
import type { Services } from '../kernel/context';

/** What only people read about a merchant. Requests of tills don't need it. */
export type Business = Pick<typeof merchants.$inferSelect, keyof typeof businessColumns>;

/** What the merchant's prices include. */
export type TaxRules = Pick<Business, keyof typeof taxColumns>;

export const readBusiness = async ({ merchantId, db }: Tx): Promise<Business> =>
  only(await db.select(businessColumns).from(merchants).where(eq(merchants.id, merchantId)));

/** Returns what a merchant's pages say about it. */
export const getBusiness = ({ db }: Services, merchantId: string): Promise<Business> =>
  withMerchant(db, merchantId, readBusiness);
