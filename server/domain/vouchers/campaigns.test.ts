import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { transactions, vouchers } from '@/db/schema';
import { sharedDatabase } from '@/db/testing/database';
import { campaignsExport } from '@/server/csv/vouchers';
import { createCampaignScene, fiveOff } from '@/server/testing/campaigns';
import { createMenu, createVoucher } from '@/server/testing/factory-ordering';
import { refusalOf } from '@/server/testing/menu';
import { newId } from '../kernel/ids';
import { lacksTranslation } from '../kernel/missing-translations';
import { allCustomers, type CampaignInput } from './campaign-schemas';

const database = sharedDatabase();

const halfPrice: CampaignInput = {
  ...fiveOff,
  name: 'Half-price laksa',
  unit: 'ItemDollarPercentage',
  value: 5_000,
  plus: ['N001'],
  maxUnits: 2,
};
const invalid = (...paths: string[]) => ({ code: 'invalid_request', paths });
const malformed = (...paths: string[]) => ({ code: 'invalid_input', paths });

test('campaigns whose name one of diners’ languages lacks are counted and listed', async () => {
  const { call } = await createCampaignScene(database);
  const whole = { zh: { name: '甲' }, ja: { name: '乙' }, ms: { name: 'Satu' } };
  await call.campaigns.create({ ...fiveOff, name: 'Whole', translations: whole });
  await call.campaigns.create({ ...fiveOff, name: 'Half', translations: { zh: whole.zh } });
  const { campaignId } = await call.campaigns.create({ ...fiveOff, name: 'Archived' });
  expect(await call.campaigns.countUntranslated()).toBe(2);
  await call.campaigns.setArchived({ campaignId, isArchived: true });
  expect(await call.campaigns.countUntranslated()).toBe(1);
  const { items } = await call.campaigns.list({ status: 'untranslated' });
  expect(items.map(({ name }) => name)).toEqual(['Half']);
  const current = (await call.campaigns.list({})).items;
  expect(current.filter((one) => lacksTranslation({ locale: 'en-SG' }, one))).toEqual(items);
});

describe('a campaign', () => {
  test.each<Partial<CampaignInput>>([
    { minSpend: 2_000, totalLimit: 100, perCustomerLimit: 1, validFrom: '2026-11-01', validUntil: '2026-12-31' },
    { ...halfPrice, maxDiscount: 1_000, stackable: true, validityDays: 30 },
    { trigger: 'birthday', daysBefore: 7 },
    {
      trigger: 'seasonal',
      seasonalOn: '2026-12-24',
      segment: { ...allCustomers, minSpent: 10_000, notSeenSince: '2026-08-01' },
    },
  ])('is stored as given: %o', async (rest) => {
    const { call, addCampaign } = await createCampaignScene(database);
    const campaignId = await addCampaign(rest);
    expect(await call.campaigns.get({ campaignId })).toEqual({
      ...fiveOff,
      revision: expect.any(String),
      ...rest,
      campaignId,
      status: 'running',
      funnel: { issued: 0, redeemed: 0, expired: 0, cancelled: 0, discount: 0 },
      issues: [],
    });
  });

  test('drops fields that its discount type and trigger do not use', async () => {
    const { call, addCampaign } = await createCampaignScene(database);
    const idle = { plus: ['N001'], maxUnits: 5, daysBefore: 7, seasonalOn: '2026-12-24' };
    const campaignId = await addCampaign({ ...idle, segment: { ...allCustomers, holdsStoredValue: true } });
    expect(await call.campaigns.get({ campaignId })).toMatchObject(fiveOff);
  });

  test.each<[Partial<CampaignInput>, string]>([
    [{ unit: 'BillDollarPercentage', value: 10_001 }, 'value'],
    [{ ...halfPrice, plus: [] }, 'plus'],
    [{ ...halfPrice, plus: ['N001', 'N001'] }, 'plus'],
    [{ allStores: false }, 'storeIds'],
    [{ validFrom: '2026-12-02', validUntil: '2026-12-01' }, 'validUntil'],
    [{ trigger: 'seasonal' }, 'seasonalOn'],
    [{ trigger: 'birthday', daysBefore: 31 }, 'daysBefore'],
    [{ totalLimit: 0 }, 'totalLimit'],
  ])('is refused with %o', async (wrong, path) => {
    const { call } = await createCampaignScene(database);
    expect(await refusalOf(call.campaigns.create({ ...fiveOff, ...wrong }))).toEqual(malformed(path));
  });

  test('is running, scheduled, ended, paused or archived', async () => {
    const { call, addCampaign } = await createCampaignScene(database);
    const statusOf = async (rest: Partial<CampaignInput>) =>
      (await call.campaigns.get({ campaignId: await addCampaign(rest) })).status;
    expect(await statusOf({ validFrom: '2026-11-20', validUntil: '2026-11-20' })).toBe('running');
    expect(await statusOf({ validFrom: '2026-11-21' })).toBe('scheduled');
    expect(await statusOf({ validUntil: '2026-11-19' })).toBe('ended');
    const campaignId = await addCampaign();
    await call.campaigns.setPaused({ campaignId, isPaused: true });
    expect((await call.campaigns.get({ campaignId })).status).toBe('paused');
    await call.campaigns.setArchived({ campaignId, isArchived: true });
    expect((await call.campaigns.get({ campaignId })).status).toBe('archived');
    await call.campaigns.setArchived({ campaignId, isArchived: false });
    await call.campaigns.setPaused({ campaignId, isPaused: false });
    expect((await call.campaigns.get({ campaignId })).status).toBe('running');
  });

  test('resumes once, however often requested: due days stay due', async () => {
    const { call, addCampaign, moveTo } = await createCampaignScene(database);
    const campaignId = await addCampaign({ trigger: 'birthday' });
    const state = async () => {
      const [row] = await database.owner`
        select occasions_through::text, paused_at, archived_at,
          (select count(*)::int from audit_log where subject_id = ${campaignId}) as trail
        from voucher_campaigns where id = ${campaignId}`;
      return row;
    };
    const before = await state();
    moveTo('2026-11-23T04:00:00Z');
    await call.campaigns.setPaused({ campaignId, isPaused: false });
    await call.campaigns.setArchived({ campaignId, isArchived: false });
    expect(await state()).toEqual(before);
    await Promise.all([1, 2].map(() => call.campaigns.setPaused({ campaignId, isPaused: true })));
    expect(await state()).toMatchObject({ trail: before?.trail + 1, occasions_through: '2026-11-22' });
  });
});

describe('once a voucher is issued', () => {
  async function issued(rest: Partial<CampaignInput> = {}) {
    const scene = await createCampaignScene(database);
    const [north, south] = scene.merchant.stores;
    const terms = { ...halfPrice, allStores: false, storeIds: [north.id], validFrom: '2026-11-10', ...rest };
    const campaignId = await scene.addCampaign(terms);
    const customers = await scene.addCustomers(2);
    await scene.issueTo(campaignId, customers);
    const update = (change: Partial<CampaignInput>) => scene.updateCampaign(campaignId, { ...terms, ...change });
    return { ...scene, campaignId, update, north, south };
  }

  test.each<[Partial<CampaignInput>, string[]]>([
    [{ value: 4_999 }, ['value']],
    [{ plus: ['N001', 'N002'], maxUnits: 1 }, ['plus', 'maxUnits']],
    [{ unit: 'BillDollarPercentage' }, ['unit', 'plus', 'maxUnits']],
    [{ minSpend: 1, maxDiscount: 1, stackable: true }, ['minSpend', 'maxDiscount', 'stackable']],
    [{ validFrom: '2026-11-11' }, ['validFrom']],
    [{ totalLimit: 1 }, ['totalLimit']],
  ])('what customers rely on can’t change: %o', async (change, paths) => {
    const { update, call, campaignId } = await issued();
    const before = await call.campaigns.get({ campaignId });
    expect(await refusalOf(update(change))).toEqual(invalid(...paths));
    expect(await call.campaigns.get({ campaignId })).toEqual(before);
  });

  test('stores may only be added', async () => {
    const { update, north, south } = await issued();
    expect(await refusalOf(update({ storeIds: [south.id] }))).toEqual(invalid('storeIds'));
    await update({ storeIds: [south.id, north.id] });
    await update({ allStores: true, storeIds: [] });
    expect(await refusalOf(update({ storeIds: [south.id, north.id] }))).toEqual(invalid('storeIds'));
  });

  test('name, dates and limits may change', async () => {
    const { update, call, campaignId } = await issued();
    const change = { name: 'New', validFrom: '2026-11-01', validUntil: '2026-12-31', validityDays: 9, totalLimit: 2 };
    await update(change);
    expect(await call.campaigns.get({ campaignId })).toMatchObject(change);
  });

  test('issued at the same moment as an edit, a voucher has the terms from before or after, and keeps them', async () => {
    const { call, addCampaign, addCustomers, issueTo } = await createCampaignScene(database);
    for (let round = 0; round < 8; round++) {
      const campaignId = await addCampaign();
      const [customer] = (await addCustomers(1)) as [string];
      const { revision } = await call.campaigns.get({ campaignId });
      const [edit] = await Promise.allSettled([
        call.campaigns.update({ campaignId, campaign: { ...fiveOff, value: 900 }, revision }),
        issueTo(campaignId, [customer]),
      ]);
      const value = edit.status === 'fulfilled' ? 900 : 500;
      expect((await call.campaigns.get({ campaignId })).value).toBe(value);
    }
  });
});

describe('the list', () => {
  test('is latest first, by name and status, page by page', async () => {
    const { call, addCampaign, staff } = await createCampaignScene(database);
    const ids: string[] = [];
    for (const name of ['Lunch', 'Dinner', 'Late lunch']) ids.push(await addCampaign({ name }));
    await call.campaigns.setArchived({ campaignId: ids[1] as string, isArchived: true });
    const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name).sort();
    expect(names(await call.campaigns.list({}))).toEqual(['Late lunch', 'Lunch']);
    expect(names(await call.campaigns.list({ status: 'archived' }))).toEqual(['Dinner']);
    expect(names(await call.campaigns.list({ search: 'LATE' }))).toEqual(['Late lunch']);
    const file = await new Response(campaignsExport.open(staff, { search: 'lunch', merchant: '' })).text();
    expect(file.trim().split('\n')).toHaveLength(3);
    const first = await call.campaigns.list({ limit: 1 });
    const second = await call.campaigns.list({ limit: 1, after: first.nextCursor as string });
    expect([...names(first), ...names(second)].sort()).toEqual(['Late lunch', 'Lunch']);
    expect(second.nextCursor).toBeNull();
  });

  test('has each campaign’s funnel, which counts its vouchers by outcome, whoever caused it', async () => {
    const { call, addCampaign, addCustomers, merchant, moveTo } = await createCampaignScene(database);
    const { owner, db } = database;
    const campaignId = await addCampaign();
    await addCampaign({ name: 'Another' });
    const customers = await addCustomers(6);
    const [used, undone, , taken] = (await Promise.all(
      customers.slice(0, 4).map((customerId, at) => {
        const expiresAt = at === 2 ? new Date('2026-11-21T00:00:00Z') : null;
        return createVoucher(owner, merchant.id, { campaignId, customerId, expiresAt });
      }),
    )) as [string, string, string, string];
    for (const voucherCode of [used, undone]) {
      await withMerchant(db, merchant.id, async (tx) => {
        const uid = newId();
        await tx.db.insert(transactions).values({
          merchantId: merchant.id,
          uid,
          type: 'redeemVoucher',
          status: 'completed',
          amount: 450,
          storeId: merchant.stores[0].id,
          transactionId: uid,
          occurredAt: new Date(),
        });
        const redemption = { redeemedBy: uid, redeemedAt: new Date() };
        await tx.db.update(vouchers).set(redemption).where(eq(vouchers.voucherCode, voucherCode));
      });
    }
    const funnel = async () => (await call.campaigns.get({ campaignId })).funnel;
    expect(await funnel()).toEqual({ issued: 4, redeemed: 2, expired: 0, cancelled: 0, discount: 900 });
    await withMerchant(db, merchant.id, async (tx) => {
      const unused = { redeemedBy: null, redeemedAt: null };
      await tx.db.update(vouchers).set(unused).where(eq(vouchers.voucherCode, undone));
      await tx.db.update(vouchers).set({ cancelledAt: new Date() }).where(eq(vouchers.voucherCode, taken));
    });
    expect(await funnel()).toEqual({ issued: 4, redeemed: 1, expired: 0, cancelled: 1, discount: 450 });
    moveTo('2026-11-21T00:00:00Z');
    expect(await funnel()).toEqual({ issued: 4, redeemed: 1, expired: 1, cancelled: 1, discount: 450 });
    const { items } = await call.campaigns.list({});
    expect(items.map(({ name, funnel }) => [name, funnel.issued])).toEqual(
      expect.arrayContaining([
        ['Five off', 4],
        ['Another', 0],
      ]),
    );
  });
});

test('items are found by the start of their PLU or a part of their name', async () => {
  const { call, merchant } = await createCampaignScene(database);
  await createMenu(database.owner, merchant.id);
  const plus = async (search: string) => (await call.campaigns.pluChoices({ search })).map(({ plu }) => plu);
  expect(await plus('n0')).toEqual(['N001', 'N002']);
  expect(await plus('RICE')).toEqual(['N002']);
  expect(await plus('%')).toEqual([]);
  expect(await call.campaigns.pluChoices({ plus: ['D001', 'X999'] })).toEqual([
    { plu: 'D001', name: 'Kopi', price: 180 },
  ]);
});

test('another merchant’s campaign, store or voucher does not exist', async () => {
  const mine = await createCampaignScene(database);
  const theirs = await createCampaignScene(database);
  const campaignId = await theirs.addCampaign();
  const [customer] = (await theirs.addCustomers(1)) as [string];
  await theirs.issueTo(campaignId, [customer]);
  const missing = { code: 'campaign_not_found', paths: [] };
  expect(await refusalOf(mine.call.campaigns.get({ campaignId }))).toEqual(missing);
  expect(await refusalOf(mine.call.campaigns.update({ campaignId, campaign: fiveOff, revision: '' }))).toEqual(missing);
  expect(await refusalOf(mine.call.campaigns.setPaused({ campaignId, isPaused: true }))).toEqual(missing);
  expect(await refusalOf(mine.issueTo(campaignId, [customer]))).toEqual(missing);
  expect((await mine.call.vouchers.list({ campaignId })).items).toEqual([]);
  const [voucher] = (await theirs.call.vouchers.list({ campaignId })).items;
  const cancelled = mine.call.vouchers.cancel({ voucherId: voucher?.voucherId as string, reason: 'Mine' });
  expect(await refusalOf(cancelled)).toEqual({ code: 'voucher_not_found', paths: [] });
  const ours = await mine.addCampaign();
  expect(await refusalOf(mine.issueTo(ours, [customer]))).toEqual({ code: 'customer_not_found', paths: [] });
  const storeId = theirs.merchant.stores[0].id;
  const abroad = { code: 'store_not_found', paths: [] };
  expect(await refusalOf(mine.addCampaign({ allStores: false, storeIds: [storeId] }))).toEqual(abroad);
  const segment = { ...allCustomers, lastVisitedStoreId: storeId };
  expect(await refusalOf(mine.call.vouchers.countSegment({ segment }))).toEqual(abroad);
});
