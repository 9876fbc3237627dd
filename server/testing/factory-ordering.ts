/** Set-up for vouchers and QR ordering: campaigns, vouchers, a menu, orders. */
import { type Database, type Sql, withMerchant } from '@/db/driver';
import { newId } from '@/server/domain/kernel/ids';
import type { Voucher } from '@/server/domain/kernel/voucher';
import { newVoucherCode, parseVoucherCode } from '@/server/domain/kernel/voucher-code';
import type { VoucherUnit } from '@/server/domain/kernel/voucher-units';
import { findMerchant } from '@/server/domain/merchants/merchant';
import { placeOrder } from '@/server/domain/qr-ordering/place-order';
import type { NewOrder, Order } from '@/server/domain/qr-ordering/schemas';
import { issueVoucher, type NotIssued } from '@/server/domain/vouchers/issue';
import { testServices } from './factory';

export interface CampaignSettings {
  name?: string;
  unit?: VoucherUnit;
  /** Minor units, or hundredths of a percent. */
  value?: number;
  plus?: string[];
  min_spend?: number;
  max_discount?: number | null;
  max_units?: number;
  stackable?: boolean;
  valid_from?: Date | null;
  valid_until?: Date | null;
  validity_days?: number | null;
  trigger?: 'join' | 'birthday' | 'anniversary' | 'seasonal' | 'manual';
  total_limit?: number | null;
  per_customer_limit?: number | null;
  paused_at?: Date | null;
  archived_at?: Date | null;
}

/** Creates a campaign of 5.00 off any bill, at all stores or the given ones. */
export async function createCampaign(
  owner: Sql,
  merchantId: string,
  { storeIds, ...settings }: CampaignSettings & { storeIds?: string[] } = {},
): Promise<string> {
  const id = newId();
  const defaults = { name: 'Five off', unit: 'BillDollarValue', value: 500, trigger: 'manual' };
  const row = { merchant_id: merchantId, id, all_stores: storeIds === undefined, ...defaults, ...settings };
  await owner`insert into voucher_campaigns ${owner(row)}`;
  for (const storeId of storeIds ?? []) {
    const link = { merchant_id: merchantId, campaign_id: id, store_id: storeId };
    await owner`insert into voucher_campaign_stores ${owner(link)}`;
  }
  return id;
}

/** Creates a customer's voucher of a campaign, and returns its stored code. */
export async function createVoucher(
  owner: Sql,
  merchantId: string,
  voucher: { campaignId: string; customerId: string; expiresAt?: Date | null },
): Promise<string> {
  const code = newVoucherCode();
  const row = {
    merchant_id: merchantId,
    id: newId(),
    campaign_id: voucher.campaignId,
    customer_id: voucher.customerId,
    voucher_code: code,
    issued_at: new Date(),
    expires_at: voucher.expiresAt ?? null,
  };
  await owner`insert into vouchers ${owner(row)}`;
  return code;
}

/** Issues a voucher through the domain, with its limits. */
export async function issueQrCode(
  db: Database,
  merchantId: string,
  {
    campaignId,
    customerId,
    occasion = `hand ${newId()}`,
  }: { campaignId: string; customerId: string; occasion?: string },
): Promise<Voucher | NotIssued> {
  const merchant = await findMerchant(testServices(db), merchantId);
  if (!merchant) throw new Error(`there is no merchant ${merchantId}`);
  return withMerchant(db, merchantId, (tx) =>
    issueVoucher(tx, merchant, { campaignId, customerId, occasion, now: new Date() }),
  );
}

/** Returns the stored form of a displayed code. */
export function keptCode(shown: string): string {
  const code = parseVoucherCode(shown);
  if (code === null) throw new Error(`${shown} is no voucher code`);
  return code;
}

export interface TestItem {
  plu: string;
  name: string;
  /** Minor units. */
  price: number;
}

export const menu: [TestItem, TestItem, TestItem] = [
  { plu: 'N001', name: 'Laksa', price: 890 },
  { plu: 'N002', name: 'Chicken Rice', price: 650 },
  { plu: 'D001', name: 'Kopi', price: 180 },
];

/** Creates a menu of one category. */
export async function createMenu(owner: Sql, merchantId: string, items: TestItem[] = menu): Promise<void> {
  const categoryId = newId();
  await owner`insert into menu_categories ${owner({ merchant_id: merchantId, id: categoryId, name: 'All', position: 1 })}`;
  const rows = items.map((item, position) => ({
    merchant_id: merchantId,
    id: newId(),
    category_id: categoryId,
    position,
    ...item,
  }));
  await owner`insert into menu_items ${owner(rows)}`;
}

/** Builds a diner's order on a code: one laksa and two kopi by default, at the menu's prices if it has the items. */
export function createOrder(
  db: Database,
  merchantId: string,
  order: { qrCodeId: string; clientOrderId?: string; guestName?: string; note?: string; lines?: OrderedLine[] },
): Promise<Order> {
  const {
    qrCodeId,
    clientOrderId = newId(),
    guestName,
    note,
    lines = [1, 2].map((quantity) => lineOf(quantity)),
  } = order;
  const shown = lines.map((line) => ({ unitPrice: menu.find(({ plu }) => plu === line.plu)?.price ?? 0, ...line }));
  return placeOrder(testServices(db), { merchantId, qrCodeId }, { clientOrderId, guestName, note, lines: shown });
}

interface TestOptionGroup {
  name?: string;
  minimum?: number;
  maximum?: number;
  options: { name: string; price: number; plu?: string | null }[];
}

/** Creates an option group of an item of `createMenu`, and returns its options' ids. */
export async function createOptionGroup(
  owner: Sql,
  merchantId: string,
  plu: string,
  { name = 'Extras', minimum = 0, maximum = 1, options }: TestOptionGroup,
): Promise<string[]> {
  const groupId = newId();
  await owner`insert into menu_option_groups ${owner({ merchant_id: merchantId, id: groupId, name, minimum, maximum })}`;
  const rows = options.map((option, position) => ({
    merchant_id: merchantId,
    id: newId(),
    group_id: groupId,
    position,
    plu: null,
    ...option,
  }));
  await owner`insert into menu_options ${owner(rows)}`;
  await owner`
    insert into menu_item_option_groups (merchant_id, item_id, group_id, position)
    select merchant_id, id, ${groupId}, (
      select count(*) from menu_item_option_groups g where g.merchant_id = i.merchant_id and g.item_id = i.id)
    from menu_items i where merchant_id = ${merchantId} and plu = ${plu}`;
  return rows.map(({ id }) => id);
}

type NewLine = NewOrder['lines'][number];
type OrderedLine = Omit<NewLine, 'unitPrice'> & Partial<NewLine>;

const lineOf = (quantity: number) => ({ plu: quantity === 1 ? menu[0].plu : menu[2].plu, quantity });
