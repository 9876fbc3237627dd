import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { vouchersExport } from '@/server/csv/vouchers';
import { createCampaignScene } from '@/server/testing/campaigns';
import { refusalOf } from '@/server/testing/menu';
import { newId } from '../kernel/ids';

const database = sharedDatabase();

describe("a campaign's vouchers", () => {
  test('are listed by state, page by page, latest first', async () => {
    const { addCampaign, addCustomers, issueTo, call, moveTo, staff } = await createCampaignScene(database);
    const campaignId = await addCampaign({ validityDays: 1 });
    await issueTo(campaignId, await addCustomers(5));
    const all = (await call.vouchers.list({ campaignId })).items;
    expect(all).toHaveLength(5);
    expect(all[0]).toMatchObject({ state: 'unused', customerName: 'Ada Tester', discount: null });
    expect(all[0]?.voucherCode).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
    await call.vouchers.cancel({ voucherId: all[2]?.voucherId as string, reason: 'Sent by mistake' });
    const first = await call.vouchers.list({ campaignId, limit: 2 });
    const second = await call.vouchers.list({ campaignId, limit: 2, after: first.nextCursor as string });
    const third = await call.vouchers.list({ campaignId, limit: 2, after: second.nextCursor as string });
    const shown = [...first.items, ...second.items, ...third.items];
    expect(shown.map(({ voucherId }) => voucherId)).toEqual(all.map(({ voucherId }) => voucherId));
    const cancelled = (await call.vouchers.list({ campaignId, state: 'cancelled' })).items;
    expect(cancelled.map(({ voucherId, cancelReason }) => [voucherId, cancelReason])).toEqual([
      [all[2]?.voucherId, 'Sent by mistake'],
    ]);
    const file = await new Response(
      vouchersExport.open(staff, { campaignId, state: 'cancelled', merchant: '' }),
    ).text();
    expect(file.trim().split('\n').slice(1)).toEqual([expect.stringContaining('Sent by mistake')]);
    moveTo('2026-11-22T04:00:00Z');
    const states = (await call.vouchers.list({ campaignId })).items.map(({ state }) => state);
    expect(states).toEqual(['expired', 'expired', 'cancelled', 'expired', 'expired']);
    const cancel = (voucherId?: string) => call.vouchers.cancel({ voucherId: voucherId as string, reason: 'Too late' });
    expect(await refusalOf(cancel(all[0]?.voucherId))).toEqual({ code: 'voucher_expired', paths: [] });
    await cancel(all[2]?.voucherId);
    expect((await call.vouchers.list({ campaignId, state: 'cancelled' })).items).toEqual(cancelled);
  });

  test.each([
    [3, '2026-11-23T15:59:59.999Z'],
    [9, '2026-11-25T15:59:59.999Z'],
  ])('of a campaign with a last day and %i days expire with what comes first', async (validityDays, expiresAt) => {
    const { addCampaign, addCustomers, issueTo, call } = await createCampaignScene(database);
    const campaignId = await addCampaign({ validUntil: '2026-11-25', validityDays });
    await issueTo(campaignId, await addCustomers(1));
    expect((await call.vouchers.list({ campaignId })).items).toMatchObject([{ expiresAt: new Date(expiresAt) }]);
  });

  test('are cancelled or redeemed, never both', async () => {
    const { addCampaign, addCustomers, issueTo, call, merchant } = await createCampaignScene(database);
    const campaignId = await addCampaign();
    await issueTo(campaignId, await addCustomers(1));
    const [voucher] = (await call.vouchers.list({ campaignId })).items;
    if (!voucher) throw new Error('no voucher was issued');
    const uid = newId();
    const { owner } = database;
    await owner`
      insert into transactions (merchant_id, uid, type, status, store_id, transaction_id, occurred_at)
      values (${merchant.id}, ${uid}, 'redeemVoucher', 'completed', ${merchant.stores[0].id}, ${uid}, now())`;
    const redeeming = await owner.reserve();
    await redeeming`begin`;
    await redeeming`select from balances where customer_id = ${voucher.customerId} for update`;
    const cancelling = refusalOf(call.vouchers.cancel({ voucherId: voucher.voucherId, reason: 'Too late' }));
    await redeeming`update vouchers set redeemed_by = ${uid}, redeemed_at = now() where id = ${voucher.voucherId}`;
    await redeeming`commit`;
    redeeming.release();
    expect(await cancelling).toEqual({ code: 'voucher_redeemed', paths: [] });
  });
});
