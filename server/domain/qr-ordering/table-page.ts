import { withMerchant } from '@/db/client';
import type { Services } from '../core/context';
import { hashToken, tokenPattern } from './token';

export interface TablePage {
  merchantId: string;
  qrCodeId: string;
  merchant: { name: string; currency: string; locale: string };
  store: { name: string };
  table: string | null;
  categories: { name: string; items: MenuEntry[] }[];
}

export interface MenuEntry {
  plu: string;
  name: string;
  description: string;
  /** Minor units. */
  price: number;
  isSoldOut: boolean;
}

/**
 * What a diner sees who opens a code's address: the store, the table and its menu. Null for a settled bill, an expired
 * code and a wrong token alike, so that guessing tells nothing.
 */
export async function getTablePage({ db, clock }: Services, token: string): Promise<TablePage | null> {
  if (!tokenPattern.test(token)) return null;
  const [named] = await db.sql`select merchant_id, qr_code_id from qr_code_by_token(${hashToken(token)})`;
  if (!named) return null;
  const now = clock.now();
  return withMerchant(db, named.merchant_id, async ({ merchantId, sql }) => {
    const [code] = await sql`
      select q.id, q.store_id, q.table_name, s.name as store_name, m.name, m.currency, m.locale
      from qr_codes q
      join stores s on s.merchant_id = q.merchant_id and s.id = q.store_id and s.closed_at is null
      join merchants m on m.id = q.merchant_id
      where q.merchant_id = ${merchantId} and q.id = ${named.qr_code_id} and q.status = 'active' and q.expires_at > ${now}`;
    if (!code) return null;
    const categories = await sql<TablePage['categories']>`
      select c.name, json_agg(json_build_object('plu', i.plu, 'name', i.name, 'description', i.description,
        'price', i.price, 'isSoldOut', o.plu is not null) order by i.position, i.plu) as items
      from menu_categories c
      join menu_items i on i.merchant_id = c.merchant_id and i.category_id = c.id and i.archived_at is null
        and (i.all_stores or exists (
          select from menu_item_stores a
          where a.merchant_id = i.merchant_id and a.item_id = i.id and a.store_id = ${code.store_id}))
      left join stock_outs o on o.merchant_id = i.merchant_id and o.store_id = ${code.store_id} and o.plu = i.plu
        and (o.until is null or o.until > ${now})
      where c.merchant_id = ${merchantId}
      group by c.id, c.name, c.position order by c.position, c.id`;
    return {
      merchantId,
      qrCodeId: code.id,
      merchant: { name: code.name, currency: code.currency, locale: code.locale },
      store: { name: code.store_name },
      table: code.table_name,
      categories: [...categories],
    };
  });
}
