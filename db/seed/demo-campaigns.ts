import type { Queries } from '../query/queries';
import * as schema from '../schema';
import type { DemoMerchant } from './demo-data';
import { translatedName } from './demo-translations';
import { seedId } from './seed-id';

type Campaign = Pick<typeof schema.voucherCampaigns.$inferInsert, 'name' | 'unit' | 'value' | 'trigger'> &
  Partial<typeof schema.voucherCampaigns.$inferInsert>;

/** One campaign per unit, with a voucher for every demo customer, and one for sign-up. */
const campaigns: Record<string, Campaign[]> = {
  SGD: [
    { name: '$5 off your bill', unit: 'BillDollarValue', value: 500, minSpend: 2_000, trigger: 'manual' },
    { name: '10% off your bill', unit: 'BillDollarPercentage', value: 1_000, maxDiscount: 1_500, trigger: 'manual' },
    {
      name: '$1 off any drink',
      unit: 'ItemDollarValue',
      value: 100,
      plus: ['D001', 'D002', 'D003', 'D004', 'D006'],
      maxUnits: 2,
      stackable: true,
      trigger: 'manual',
    },
    {
      name: 'Half-price dessert',
      unit: 'ItemDollarPercentage',
      value: 5_000,
      plus: ['S001', 'S002', 'S003', 'S004', 'S005'],
      trigger: 'manual',
    },
    {
      name: 'Welcome: a kopi on the house',
      unit: 'ItemDollarPercentage',
      value: 10_000,
      plus: ['D001', 'D002'],
      validityDays: 60,
      trigger: 'join',
    },
  ],
  JPY: [
    { name: '300円引き', unit: 'BillDollarValue', value: 300, minSpend: 1_500, trigger: 'manual' },
    { name: 'お会計10%引き', unit: 'BillDollarPercentage', value: 1_000, maxDiscount: 1_000, trigger: 'manual' },
    { name: '餃子100円引き', unit: 'ItemDollarValue', value: 100, plus: ['A001'], trigger: 'manual' },
    { name: '飲み物半額', unit: 'ItemDollarPercentage', value: 5_000, plus: ['B001', 'B002'], trigger: 'manual' },
  ],
};

/** Writes a demo merchant's missing voucher campaigns. Returns the ids of the manual ones. */
export async function seedCampaigns(db: Queries, merchant: DemoMerchant): Promise<string[]> {
  const rows = (campaigns[merchant.currency] ?? []).map((campaign) => ({
    merchantId: merchant.id,
    id: seedId(merchant.id, 'campaign', campaign.name),
    translations: translatedName(campaign.name),
    ...campaign,
  }));
  await db.insert(schema.voucherCampaigns).values(rows).onConflictDoNothing();
  return rows.filter(({ trigger }) => trigger === 'manual').map(({ id }) => id);
}
