/**
 * Concurrent vouchers, QR codes and orders, over real connections: the results are as if they came one after the other.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appRole, connectDatabase, type Database } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { DomainError } from '@/server/domain/kernel/errors';
import { newId } from '@/server/domain/kernel/ids';
import { createCustomer, createMerchant, type TestMerchant } from '@/server/testing/factory';
import { createCampaign, createMenu, createOrder, createVoucher, issueQrCode } from '@/server/testing/factory-ordering';
import { expectError } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api);
  await createMenu(api.owner, scene.merchant.id);
});

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

test('one voucher, 50 concurrent redemptions: one success', async () => {
  const campaignId = await createCampaign(api.owner, scene.merchant.id);
  const voucherCode = await createVoucher(api.owner, scene.merchant.id, { campaignId, customerId: scene.customer.id });
  const redeem = (i: number) =>
    api.post(scene.merchant.stores[i % 2]?.key, '/transactions/voucher/redeem', {
      transactionId: newTransactionId(),
      customer: { customerId: scene.customer.id },
      voucherCode,
      bill: { amount: 5_000 },
    });
  const answers = await Promise.all(times(50, redeem));
  const good = answers.filter(({ status }) => status === 200);
  expect(good).toHaveLength(1);
  for (const answer of answers) if (!good.includes(answer)) expectError(answer, 402, 'voucher_redeemed');
  const [row] = await api.owner`
    select t.transaction_id from vouchers v join transactions t on t.uid = v.redeemed_by where v.voucher_code = ${voucherCode}`;
  expect(row?.transaction_id).toBe(good[0]?.body.transactionId);
});

describe('issuers', () => {
  const issuers = 16;
  const database = sharedDatabase();
  let connections: Database[];
  let merchant: TestMerchant;
  let customers: string[];

  beforeAll(async () => {
    // Each with a connection of its own.
    connections = times(issuers, () => connectDatabase(database.url, { role: appRole, max: 1 }));
    merchant = await createMerchant(database.owner);
    customers = await Promise.all(times(20, async () => (await createCustomer(database.owner, merchant.id)).id));
  });
  afterAll(() => Promise.all(connections.map((connection) => connection.close())));

  /** Every issuer issues `rounds` vouchers; answers what came of each. */
  async function issueAll(rounds: number, make: (issuer: number, round: number) => Parameters<typeof issueQrCode>[2]) {
    const results = await Promise.all(
      connections.map(async (connection, issuer) => {
        const own: string[] = [];
        for (let round = 0; round < rounds; round++) {
          const result = await issueQrCode(connection, merchant.id, make(issuer, round));
          own.push(typeof result === 'string' ? result : 'issued');
        }
        return own;
      }),
    );
    const counts: Record<string, number> = {};
    for (const result of results.flat()) counts[result] = (counts[result] ?? 0) + 1;
    return counts;
  }

  async function countsOf(campaignId: string) {
    const [row] = await database.owner`
      select c.issued_count::int as counter, (select count(*)::int from vouchers where campaign_id = c.id) as vouchers,
        (select coalesce(sum(issued_count), 0)::int from voucher_counts where campaign_id = c.id) as by_customer,
        (select count(distinct voucher_code)::int from vouchers where campaign_id = c.id) as codes
      from voucher_campaigns c where c.id = ${campaignId}`;
    return { ...row };
  }
  const all = (count: number) => ({ counter: count, vouchers: count, by_customer: count, codes: count });

  test('a campaign limited to 100: exactly 100 under 16 at once', async () => {
    const campaignId = await createCampaign(database.owner, merchant.id, { total_limit: 100 });
    const counts = await issueAll(10, (i, round) => ({ campaignId, customerId: customers[(i + round) % 20] ?? '' }));
    expect(counts).toEqual({ issued: 100, limit_reached: 60 });
    expect(await countsOf(campaignId)).toEqual(all(100));
  });

  test('a limit of three per customer: exactly three, whoever issues', async () => {
    const campaignId = await createCampaign(database.owner, merchant.id, { per_customer_limit: 3 });
    const counts = await issueAll(5, (_, round) => ({ campaignId, customerId: customers[round] ?? '' }));
    expect(counts).toEqual({ issued: 15, limit_reached: 65 });
    expect(await countsOf(campaignId)).toEqual(all(15));
    const rows = await database.owner`select issued_count from voucher_counts where campaign_id = ${campaignId}`;
    expect(rows.map((row) => row.issued_count)).toEqual([3, 3, 3, 3, 3]);
  });

  test('both limits: a rejection by one does not use up the other', async () => {
    const limits = { total_limit: 30, per_customer_limit: 2 };
    const campaignId = await createCampaign(database.owner, merchant.id, limits);
    const [first = ''] = customers;
    expect(await issueAll(3, () => ({ campaignId, customerId: first }))).toEqual({ issued: 2, limit_reached: 46 });
    expect(await countsOf(campaignId)).toEqual(all(2));
    const counts = await issueAll(4, (i, round) => ({
      campaignId,
      customerId: customers[1 + ((i + round) % 19)] ?? '',
    }));
    expect(counts).toEqual({ issued: 28, limit_reached: 36 });
    expect(await countsOf(campaignId)).toEqual(all(30));
  });

  test('one occasion: issued and counted once per customer', async () => {
    const campaignId = await createCampaign(database.owner, merchant.id, { trigger: 'birthday', total_limit: 1_000 });
    const occasion = 'birthday 2026';
    const counts = await issueAll(20, (_, round) => ({ campaignId, customerId: customers[round] ?? '', occasion }));
    expect(counts).toEqual({ issued: 20, already_issued: 300 });
    expect(await countsOf(campaignId)).toEqual(all(20));
    const nextYear = { campaignId, customerId: customers[0] ?? '', occasion: 'birthday 2027' };
    expect(await issueQrCode(database.db, merchant.id, nextYear)).toMatchObject({ name: 'Five off' });
  });

  test('a paused, archived or ended campaign issues none', async () => {
    const past = new Date(Date.now() - 1_000);
    const [customerId = ''] = customers;
    for (const over of [{ paused_at: past }, { archived_at: past }, { valid_until: past }]) {
      const campaignId = await createCampaign(database.owner, merchant.id, over);
      expect(await issueQrCode(database.db, merchant.id, { campaignId, customerId })).toBe('not_running');
    }
    expect(await issueQrCode(database.db, merchant.id, { campaignId: newId(), customerId })).toBe('not_running');
  });
});

test('50 concurrent requests for one bill get one code', async () => {
  const billId = `bill-${newTransactionId()}`;
  const answers = await Promise.all(times(50, () => api.post(scene.key, '/qr-codes', { billId })));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  const rows = await api.owner`select from qr_codes where bill_id = ${billId}`;
  expect(rows).toHaveLength(1);
});

test('codes requested and closed concurrently: never an error, never two open ones', async () => {
  const billId = `bill-${newTransactionId()}`;
  await api.post(scene.key, '/qr-codes', { billId });
  const answers = await Promise.all(
    times(40, (i) => api.post(scene.key, i % 2 === 0 ? '/qr-codes' : '/qr-codes/invalidate', { billId })),
  );
  expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
  const open = await api.owner`select from qr_codes where bill_id = ${billId} and status = 'active'`;
  expect(open.length).toBeLessThanOrEqual(1);
});

test('50 orders against the invalidation, 5 times: each is on the bill before it closed, or rejected', async () => {
  for (let round = 0; round < 5; round++) {
    const { qrCodeId } = (await api.post(scene.key, '/qr-codes', { billId: `bill-${newTransactionId()}` })).body;
    const place = () =>
      createOrder(api.db, scene.merchant.id, { qrCodeId }).then(
        ({ orderId }) => ({ orderId, code: null }),
        (error) => ({ orderId: null, code: error instanceof DomainError ? error.code : String(error) }),
      );
    const [orders, closed, more] = await Promise.all([
      Promise.all(times(25, place)),
      api.post(scene.key, '/qr-codes/invalidate', { qrCodeId }),
      Promise.all(times(25, place)),
    ]);
    expect(closed.status).toBe(200);
    const all = [...orders, ...more];
    const taken = all.flatMap(({ orderId }) => orderId ?? []);
    expect(all.filter(({ code }) => code !== null && code !== 'qr_code_closed')).toEqual([]);
    const { body } = await api.get(scene.key, `/qr-codes/${qrCodeId}`);
    // The answer to the invalidation was the last moment: what it counts is what was taken, and no more comes.
    expect(body.orders.map((order: { orderId: string }) => order.orderId).sort()).toEqual(taken.sort());
    for (const order of body.orders) expect(order.placedAt <= body.invalidatedAt).toBe(true);
    expect((await place()).code).toBe('qr_code_closed');
  }
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
