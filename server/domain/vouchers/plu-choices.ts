import { withMerchant } from '@/db/client';
import type { StaffContext } from '../staff/context';

export interface PluChoice {
  plu: string;
  name: string;
  /** Minor units. */
  price: number;
}

/** Menu items whose PLU starts with `search` or whose name contains it (at most 20); or exactly those in `plus`. */
export function listPluChoices(
  { db, merchant }: StaffContext,
  { search, plus }: { search: string; plus?: string[] | undefined },
): Promise<PluChoice[]> {
  return withMerchant(db, merchant.id, async ({ merchantId, sql }) => {
    const rows = plus
      ? await sql`
          select plu, name, price from menu_items where merchant_id = ${merchantId} and plu = any(${plus})`
      : await sql`
          select plu, name, price from menu_items
          where merchant_id = ${merchantId} and archived_at is null
            and (starts_with(lower(plu), lower(${search})) or position(lower(${search}) in lower(name)) > 0)
          order by plu limit 20`;
    return rows.map(({ plu, name, price }) => ({ plu, name, price }));
  });
}
