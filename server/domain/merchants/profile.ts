import { asc } from 'drizzle-orm';
import { drizzleOn, withMerchant } from '@/db/client';
import { merchants, stores } from '@/db/schema';
import type { Services } from '../core/context';

export interface MerchantProfile {
  merchantId: string;
  name: string;
  currency: string;
  timeZone: string;
  locale: string;
  stores: { storeCode: string; name: string }[];
}

/** What the back office's frame shows of a merchant; null where there is none. */
export function getMerchantProfile({ db }: Services, merchantId: string): Promise<MerchantProfile | null> {
  return withMerchant(db, merchantId, async (tx) => {
    const query = drizzleOn(tx);
    const { id, name, currency, timeZone, locale } = merchants;
    const [merchant] = await query.select({ merchantId: id, name, currency, timeZone, locale }).from(merchants);
    if (!merchant) return null;
    const storeRows = await query
      .select({ storeCode: stores.storeCode, name: stores.name })
      .from(stores)
      .orderBy(asc(stores.storeCode));
    return { ...merchant, stores: storeRows };
  });
}
