import { describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCampaignScene } from '@/server/testing/campaigns';
import { createCustomer, createMerchant } from '@/server/testing/factory';
import { refusalOf } from '@/server/testing/menu';
import { newId } from '../kernel/ids';
import { allCustomers, type Segment } from './campaign-schemas';
import { continueIssue } from './issue-run';

const database = ownDatabase();

describe('to one customer', () => {
  test('is done at once, and once however often it is sent', async () => {
    const { addCampaign, addCustomers, issueTo, vouchersOf } = await createCampaignScene(database);
    const campaignId = await addCampaign();
    const customers = await addCustomers(1);
    const issueId = newId();
    const answers = await Promise.all(Array.from({ length: 8 }, () => issueTo(campaignId, customers, issueId)));
    expect(answers).toEqual(answers.map(() => ({ issued: 1, refused: 0, isRunning: false })));
    expect(await vouchersOf(campaignId)).toHaveLength(1);
    await issueTo(campaignId, customers);
    expect(await vouchersOf(campaignId)).toHaveLength(2);
  });

  test('an issueId is for one issue', async () => {
    const { addCampaign, addCustomers, issueTo } = await createCampaignScene(database);
    const campaigns = [await addCampaign(), await addCampaign()] as const;
    const [one, other] = (await addCustomers(2)) as [string, string];
    const issueId = newId();
    await issueTo(campaigns[0], [one], issueId);
    const refusal = { code: 'invalid_request', paths: ['issueId'] };
    expect(await refusalOf(issueTo(campaigns[1], [one], issueId))).toEqual(refusal);
    expect(await refusalOf(issueTo(campaigns[0], [other], issueId))).toEqual(refusal);
  });

  test('is refused past a limit, and leaves nothing behind', async () => {
    const { addCampaign, addCustomers, issueTo, vouchersOf, call } = await createCampaignScene(database);
    const [one, other] = (await addCustomers(2)) as [string, string];
    const reached = { code: 'voucher_limit_reached', paths: [] };
    const perCustomer = await addCampaign({ perCustomerLimit: 1 });
    await issueTo(perCustomer, [one]);
    expect(await refusalOf(issueTo(perCustomer, [one]))).toEqual(reached);
    await issueTo(perCustomer, [other]);
    const total = await addCampaign({ totalLimit: 1 });
    await issueTo(total, [one]);
    expect(await refusalOf(issueTo(total, [other]))).toEqual(reached);
    expect(await vouchersOf(total)).toHaveLength(1);
    expect((await call.campaigns.get({ campaignId: total })).issues).toHaveLength(1);
  });

  test('is refused for a paused, archived or ended campaign; an earlier issue is repeated', async () => {
    const { addCampaign, addCustomers, issueTo, call } = await createCampaignScene(database);
    const customers = await addCustomers(1);
    const notRunning = { code: 'campaign_not_running', paths: [] };
    expect(await refusalOf(issueTo(await addCampaign({ validUntil: '2026-11-19' }), customers))).toEqual(notRunning);
    const campaignId = await addCampaign();
    const issueId = newId();
    await issueTo(campaignId, customers, issueId);
    await call.campaigns.setPaused({ campaignId, isPaused: true });
    expect(await refusalOf(issueTo(campaignId, customers))).toEqual(notRunning);
    expect(await issueTo(campaignId, customers, issueId)).toMatchObject({ issued: 1 });
  });

  test('is refused for a blocked customer', async () => {
    const { addCampaign, addCustomers, issueTo } = await createCampaignScene(database);
    const customers = await addCustomers(1);
    await database.owner`update balances set blocked_at = now() where customer_id = ${customers[0] as string}`;
    expect(await refusalOf(issueTo(await addCampaign(), customers))).toMatchObject({ code: 'customer_blocked' });
  });
});

describe('to a list', () => {
  test('includes each customer once, up to the limits', async () => {
    const { addCampaign, addCustomers, issueTo, vouchersOf, call } = await createCampaignScene(database);
    const customers = await addCustomers(5);
    const campaignId = await addCampaign({ totalLimit: 3 });
    const twice = [...customers, ...customers];
    expect(await issueTo(campaignId, twice)).toEqual({ issued: 3, refused: 2, isRunning: false });
    expect(new Set((await vouchersOf(campaignId)).map((row) => row.customer_id)).size).toBe(3);
    const [issue] = (await call.campaigns.get({ campaignId })).issues;
    expect(issue).toMatchObject({ requested: 5, issued: 3, refused: 2, isFinished: true, issuedBy: 'Test manager' });
  });

  test('by many at once passes no limit', async () => {
    const { addCampaign, addCustomers, issueTo, vouchersOf } = await createCampaignScene(database);
    const customers = await addCustomers(6);
    const campaignId = await addCampaign({ totalLimit: 20, perCustomerLimit: 4 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => issueTo(campaignId, customers)));
    const rows = await vouchersOf(campaignId);
    expect(rows).toHaveLength(20);
    expect(answers.reduce((sum, { issued }) => sum + issued, 0)).toBe(20);
    for (const customer of customers) {
      expect(rows.filter(({ customer_id }) => customer_id === customer).length).toBeLessThanOrEqual(4);
    }
  });

  test('names customers by phone number, e-mail address or id, in any form; each invalid line is reported', async () => {
    const { merchant, call } = await createCampaignScene(database);
    const [ada, ben] = [
      await createCustomer(database.owner, merchant.id),
      await createCustomer(database.owner, merchant.id),
    ];
    const stranger = await createCustomer(database.owner, (await createMerchant(database.owner)).id);
    const lines = [
      ` ${ada.phone.slice(3, 7)}\t${ada.phone.slice(7)} `,
      ben.email.toUpperCase(),
      '',
      ada.id.toUpperCase(),
      'nobody@example.com',
      'Mr Smith',
      stranger.id,
    ];
    expect(await call.vouchers.findRecipients({ lines })).toEqual({
      customerIds: [ada.id, ben.id],
      repeated: 1,
      problems: [
        { line: 5, text: 'nobody@example.com', reason: 'unknown' },
        { line: 6, text: 'Mr Smith', reason: 'unreadable' },
        { line: 7, text: stranger.id, reason: 'unknown' },
      ],
    });
  });
});

describe('to a segment', () => {
  const day = (date: string) => new Date(`${date}T04:00:00Z`);

  /**
   * Creates four customers: a regular of the northern store, one who visited the southern store long ago, one who never
   * came, and a blocked one.
   */
  async function createVisitors() {
    const scene = await createCampaignScene(database);
    const { owner } = database;
    const { merchant } = scene;
    const [regular, lapsed, quiet, blocked] = (await scene.addCustomers(4)) as [string, string, string, string];
    const [north, south] = merchant.stores;
    await owner`update customers set joined_at = '2026-01-15T04:00:00Z' where merchant_id = ${merchant.id}`;
    await owner`update customers set joined_at = '2026-11-01T04:00:00Z' where id = ${quiet}`;
    await owner`update balances set blocked_at = now() where customer_id = ${blocked}`;
    const visit = async (customerId: string, storeId: string | null, amount: number, at: Date, rest: object = {}) => {
      const uid = newId();
      await owner`insert into transactions ${owner({
        merchant_id: merchant.id,
        uid,
        type: 'sale',
        status: 'completed',
        store_id: storeId,
        transaction_id: uid,
        customer_id: customerId,
        amount,
        occurred_at: at,
        ...rest,
      })}`;
      return uid;
    };
    await visit(regular, south.id, 3_000, day('2026-03-01'));
    const uid = await visit(regular, north.id, 7_000, day('2026-11-10'));
    await visit(lapsed, south.id, 9_999, day('2026-05-01'));
    await visit(lapsed, north.id, 5_000, day('2026-11-12'), {
      status: 'voided',
      voided_at: day('2026-11-12'),
    });
    // An online payment for stored value is neither spending nor a visit.
    await visit(lapsed, null, 5_000, day('2026-11-12'), { type: 'topUp' });
    await owner`
      insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at) values
        (${merchant.id}, ${newId()}, ${regular}, ${uid}, 'bonus', 100, 100, null),
        (${merchant.id}, ${newId()}, ${lapsed}, ${uid}, 'bonus', 100, 100, '2026-11-01')`;
    const reach = async (segment: Partial<Segment>) => {
      const campaignId = await scene.addCampaign();
      const audience = { kind: 'segment', segment: { ...allCustomers, ...segment }, expected: null } as const;
      const issueId = newId();
      expect(await scene.call.vouchers.issue({ issueId, campaignId, audience })).toMatchObject({ isRunning: true });
      await continueIssue(scene.services, { merchantId: merchant.id, issueId });
      const reached = (await scene.vouchersOf(campaignId)).map((row) => row.customer_id).sort();
      const { customers, next } = await scene.call.vouchers.countSegment({ segment: audience.segment });
      expect([customers, next]).toEqual([reached.length, null]);
      return reached;
    };
    return { ...scene, north, south, regular, lapsed, quiet, boughtOn: uid, reach };
  }

  test('reaches those who match every condition, as many as were counted', async () => {
    const { reach, north, south, regular, lapsed, quiet } = await createVisitors();
    expect(await reach({})).toEqual([regular, lapsed, quiet].sort());
    expect(await reach({ lastVisitedStoreId: north.id })).toEqual([regular]);
    expect(await reach({ lastVisitedStoreId: south.id })).toEqual([lapsed]);
    expect(await reach({ minSpent: 10_000 })).toEqual([regular]);
    expect(await reach({ minSpent: 9_999 })).toEqual([regular, lapsed].sort());
    expect(await reach({ notSeenSince: '2026-06-01' })).toEqual([lapsed]);
    expect(await reach({ notSeenSince: '2026-11-11' })).toEqual([regular, lapsed, quiet].sort());
    expect(await reach({ joinedBefore: '2026-11-01' })).toEqual([regular, lapsed].sort());
    expect(await reach({ holdsStoredValue: true })).toEqual([regular]);
    expect(await reach({ minSpent: 5_000, notSeenSince: '2026-11-01', joinedBefore: '2026-02-01' })).toEqual([lapsed]);
    expect(await reach({ minSpent: 10_000, lastVisitedStoreId: south.id })).toEqual([]);
  });

  test('knows visits, days since the last one, birthdays, tags, and what was bought', async () => {
    const { reach, regular, lapsed, quiet, boughtOn, merchant, call } = await createVisitors();
    const { owner } = database;
    await owner`update customers set birthday = '1990-03-31', tags = '{VIP,No nuts}' where id = ${regular}`;
    await owner`update customers set birthday = '1990-04-01', tags = '{"VIP guest"}' where id = ${lapsed}`;
    await addSaleLine(merchant.id, boughtOn, 'K001');
    expect(await reach({ minVisits: 1 })).toEqual([regular, lapsed].sort());
    expect(await reach({ minVisits: 2 })).toEqual([regular]);
    // The 20th is today: the last visit was 10 days ago, and the quiet one joined 19 days ago.
    expect(await reach({ notSeenDays: 10 })).toEqual([lapsed, quiet].sort());
    expect(await reach({ notSeenDays: 9 })).toEqual([regular, lapsed, quiet].sort());
    expect(await reach({ birthMonth: 3 })).toEqual([regular]);
    expect(await reach({ birthMonth: 4 })).toEqual([lapsed]);
    expect(await reach({ tag: 'vip' })).toEqual([regular]);
    expect(await reach({ tag: 'no nuts' })).toEqual([regular]);
    expect(await reach({ boughtPlus: ['N009', 'K001'] })).toEqual([regular]);
    expect(await reach({ boughtPlus: ['N009'] })).toEqual([]);
    const { categoryId } = await call.menu.createCategory({ name: 'Kopi' });
    expect(await reach({ boughtCategoryId: categoryId })).toEqual([]);
    await addItem(merchant.id, categoryId, 'K001');
    expect(await reach({ boughtCategoryId: categoryId })).toEqual([regular]);
    expect(await reach({ boughtCategoryId: categoryId, birthMonth: 4 })).toEqual([]);
    const segment = { ...allCustomers, boughtCategoryId: newId() };
    expect(await refusalOf(call.vouchers.countSegment({ segment }))).toMatchObject({ code: 'menu_entry_not_found' });
    // The blocked customer is not counted.
    expect(await call.vouchers.countSegment({ segment: { ...allCustomers, minVisits: 2 } })).toEqual({
      customers: 1,
      lookedAt: 3,
      next: null,
    });
  });

  async function addSaleLine(merchantId: string, uid: string, plu: string) {
    const { owner } = database;
    const sums = { subtotal: 7_000, discount: 0, service_charge: 0, tax: 0, rounding: 0, total: 7_000 };
    const sale = { merchant_id: merchantId, transaction_uid: uid };
    await owner`insert into sales ${owner({ ...sale, ...sums, points_earned: 0, closed_at: day('2026-11-10') })}`;
    const line = { position: 0, plu, name: 'Kopi O', quantity: 1, unit_price: 7_000, amount: 7_000 };
    await owner`insert into sale_lines ${owner({ ...sale, ...line })}`;
  }

  const addItem = (merchantId: string, categoryId: string, plu: string) => database.owner`
    insert into menu_items (merchant_id, id, category_id, plu, name, price, position)
    values (${merchantId}, ${newId()}, ${categoryId}, ${plu}, 'Kopi O', 7000, 0)`;

  test('uses the merchant’s days', async () => {
    const scene = await createCampaignScene(database, { time_zone: 'Pacific/Kiritimati' });
    const [customer] = (await scene.addCustomers(1)) as [string];
    await database.owner`update customers set joined_at = '2026-10-31T11:00:00Z' where id = ${customer}`;
    const count = async (joinedBefore: string) =>
      (await scene.call.vouchers.countSegment({ segment: { ...allCustomers, joinedBefore } })).customers;
    expect(await count('2026-11-01')).toBe(0);
    expect(await count('2026-11-02')).toBe(1);
  });
});
