import { eq } from 'drizzle-orm';
import { withMerchant } from '@/db/client';
import { merchants } from '@/db/schema';
import type { Merchant, Services } from '../core/context';
import { uuid } from '../core/schemas';
import { merchantColumns, toMerchant } from './merchant-row';

/** A merchant as its settings stand now; null where the id is nobody's, or no id at all. */
export async function findMerchant({ db }: Services, merchantId: string | null): Promise<Merchant | null> {
  const { data: id } = uuid.safeParse(merchantId?.toLowerCase());
  if (id === undefined) return null;
  const [row] = await withMerchant(db, id, (tx) =>
    tx.db.select(merchantColumns).from(merchants).where(eq(merchants.id, id)),
  );
  return row ? toMerchant(row) : null;
}
