/** Set-up for tests of campaigns. */
import type { TestDatabase } from '@/db/testing/database';
import type { Clock } from '@/server/domain/kernel/clock';
import { newId } from '@/server/domain/kernel/ids';
import { allCustomers, type CampaignInput } from '@/server/domain/vouchers/campaign-schemas';
import { createCustomer, createMerchant, type MerchantSettings, testServices } from './factory';
import { callAs, createStaff } from './staff';

/** 5.00 off any bill, issued manually. */
export const fiveOff: CampaignInput = {
  name: 'Five off',
  translations: {},
  unit: 'BillDollarValue',
  value: 500,
  plus: [],
  minSpend: 0,
  maxDiscount: null,
  maxUnits: 1,
  stackable: false,
  allStores: true,
  storeIds: [],
  validFrom: null,
  validUntil: null,
  validityDays: null,
  trigger: 'manual',
  daysBefore: 0,
  seasonalOn: null,
  segment: allCustomers,
  totalLimit: null,
  perCustomerLimit: null,
};

/**
 * Creates a merchant without campaigns, and its manager's procedures, with a clock that starts at `at` and can be
 * moved.
 */
export async function createCampaignScene(
  database: TestDatabase,
  { at = '2026-11-20T04:00:00Z', ...settings }: { at?: string } & MerchantSettings = {},
) {
  const { owner } = database;
  const merchant = await createMerchant(owner, settings);
  let now = new Date(at);
  const clock: Clock = { now: () => now };
  const services = testServices(database.db, clock);
  const staff = await createStaff(owner, services, merchant.id, 'manager');
  const call = callAs(staff);
  const addCampaign = async (rest: Partial<CampaignInput> = {}) =>
    (await call.campaigns.create({ ...fiveOff, ...rest })).campaignId;
  /** Saves a form that has just been opened. */
  const updateCampaign = async (campaignId: string, campaign: CampaignInput) =>
    call.campaigns.update({ campaignId, campaign, revision: (await call.campaigns.get({ campaignId })).revision });
  const addCustomers = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await createCustomer(owner, merchant.id)).id));
  const issueTo = (campaignId: string, customerIds: string[], issueId = newId()) =>
    call.vouchers.issue({ issueId, campaignId, audience: { kind: 'customers', customerIds } });
  const vouchersOf = (campaignId: string) => owner<{ customer_id: string; occasion: string; voucher_code: string }[]>`
    select customer_id, occasion, voucher_code from vouchers where campaign_id = ${campaignId} order by id`;
  const moveTo = (instant: string) => {
    now = new Date(instant);
  };
  return { merchant, services, staff, call, addCampaign, updateCampaign, addCustomers, issueTo, vouchersOf, moveTo };
}
