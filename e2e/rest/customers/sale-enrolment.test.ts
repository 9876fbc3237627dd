/** A sale to an unknown customer: rejected, or the customer is enrolled by phone number or e-mail address. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { createCampaign, keptCode } from '@/server/testing/factory-ordering';
import { expectError, stateOf } from '../expectations';
import { type Answer, createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';
import { newEmail } from '../operations';
import { plainSale } from '../ordering-operations';

const api = restApi();
let scene: Scene;
let welcome: string;

beforeAll(async () => {
  scene = await createScene(api, { enrol_on_sale: true });
  const { id } = scene.merchant;
  const past = new Date(Date.now() - 60_000);
  welcome = await createCampaign(api.owner, id, { trigger: 'join', name: 'Welcome', value: 300, validity_days: 30 });
  await createCampaign(api.owner, id, { trigger: 'join', name: 'Paused', paused_at: past });
  await createCampaign(api.owner, id, { trigger: 'join', name: 'Over', valid_until: past });
  await createCampaign(api.owner, id, { trigger: 'join', name: 'Not yet', valid_from: new Date(Date.now() + 60_000) });
  await createCampaign(api.owner, id, { trigger: 'birthday', name: 'Another occasion' });
});

let serial = 0;
/** From +658100: +6580 is not given to everybody. */
const newPhone = () => `+658${100 + (process.pid % 900)}${String(++serial).padStart(4, '0')}`;
const submit = (customer: object, rest: Record<string, unknown> = {}, key = scene.key) =>
  api.post(key, '/sales', plainSale(5_000, { customer, ...rest }));

function expectSuccess(answer: Answer) {
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const balancesOf = async (phone: string) =>
  (await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`)).body;

test('an unknown phone number becomes a customer, with the points and the sign-up vouchers', async () => {
  const phone = newPhone();
  const answer = expectSuccess(await submit({ phone }, { staffId: 'S9' }));
  expect(answer).toMatchObject({ pointsEarned: 50, points: { balance: 50, worth: 50 } });
  const [enrolled] = await api.owner`
    select after from audit_log where subject_id = ${answer.customerId} and action = 'customer.enrol'`;
  expect(JSON.parse(enrolled?.after)).toEqual({ staffId: 'S9' });
  expect(answer.vouchersIssued).toEqual([
    {
      voucherCode: expect.stringMatching(/^[2-9A-Z]{5}-[2-9A-Z]{5}$/),
      name: 'Welcome',
      unit: 'BillDollarValue',
      value: 300,
      plus: [],
      minSpend: 0,
      maxDiscount: null,
      maxUnits: 1,
      stackable: false,
      issuedAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/T15:59:59\.999Z$/),
    },
  ]);
  const { customer, points, vouchers } = await balancesOf(phone);
  expect(customer).toMatchObject({ customerId: answer.customerId, phone, email: null, hasPin: false });
  expect(points.balance).toBe(50);
  expect(vouchers).toEqual(answer.vouchersIssued);
});

test('an unknown e-mail address, too; later in any letter case', async () => {
  const email = newEmail();
  const first = expectSuccess(await submit({ email }));
  const second = expectSuccess(await submit({ email: email.toUpperCase() }));
  expect(second).toMatchObject({ customerId: first.customerId, points: { balance: 100 }, vouchersIssued: [] });
});

test('the voucher can be redeemed at once', async () => {
  const phone = newPhone();
  const { vouchersIssued } = expectSuccess(await submit({ phone }));
  const [{ voucherCode }] = vouchersIssued;
  const body = { transactionId: newTransactionId(), customer: { phone }, voucherCode, bill: { amount: 1_000 } };
  const answer = await api.post(scene.key, '/transactions/voucher/redeem', body);
  expect(expectSuccess(answer).discount.amount).toBe(300);
});

test('sent again, the sale replays the first response, and nobody is enrolled twice', async () => {
  const request = { transactionId: newTransactionId(), closedAt: new Date().toISOString() };
  const customer = { phone: newPhone() };
  const first = await submit(customer, request);
  const state = await stateOf(api, scene.merchant.id);
  const again = await submit(customer, request);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await stateOf(api, scene.merchant.id)).toEqual(state);
});

test('20 sales to one unknown number at the same moment: one customer, one voucher, the points of all', async () => {
  const phone = newPhone();
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit({ phone })));
  const bodies = answers.map(expectSuccess);
  expect(new Set(bodies.map(({ customerId }) => customerId)).size).toBe(1);
  expect(bodies.flatMap(({ vouchersIssued }) => vouchersIssued)).toHaveLength(1);
  expect(bodies.map(({ points }) => points.balance).sort((a, b) => a - b)).toEqual(bodies.map((_, i) => (i + 1) * 50));
  expect((await balancesOf(phone)).points.balance).toBe(1_000);
});

test('10 concurrent copies of one sale to an unknown number are executed once', async () => {
  const request = { transactionId: newTransactionId(), closedAt: new Date().toISOString() };
  const phone = newPhone();
  const answers = await Promise.all(Array.from({ length: 10 }, () => submit({ phone }, request)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(9);
  expect((await balancesOf(phone)).points.balance).toBe(50);
});

test('a campaign that has reached its limit issues none, and the sale is kept', async () => {
  await api.owner`update voucher_campaigns set total_limit = issued_count where id = ${welcome}`;
  expect(expectSuccess(await submit({ phone: newPhone() })).vouchersIssued).toEqual([]);
  await api.owner`update voucher_campaigns set total_limit = null where id = ${welcome}`;
});

describe('void of the sale that enrolled', () => {
  test('takes the points and the unused voucher; the customer stays, and joins no second time', async () => {
    const phone = newPhone();
    const { transactionId, customerId } = expectSuccess(await submit({ phone }));
    const answer = await api.post(scene.key, '/transactions/void', { transactionIds: [transactionId] });
    expect(expectSuccess(answer).results).toMatchObject([
      { transactionId, status: 'voided', type: 'sale', customerId, effect: { taken: { points: 50 }, shortfall: 0 } },
    ]);
    const { points, vouchers } = await balancesOf(phone);
    expect({ balance: points.balance, vouchers }).toEqual({ balance: 0, vouchers: [] });
    expect(expectSuccess(await submit({ phone }))).toMatchObject({ customerId, vouchersIssued: [] });
  });

  test('the cancelled voucher is no voucher any more', async () => {
    const phone = newPhone();
    const { transactionId, vouchersIssued } = expectSuccess(await submit({ phone }));
    await api.post(scene.key, '/transactions/void', { transactionIds: [transactionId] });
    const [{ voucherCode }] = vouchersIssued;
    const body = { transactionId: newTransactionId(), customer: { phone }, voucherCode, bill: { amount: 1_000 } };
    expectError(await api.post(scene.key, '/transactions/voucher/redeem', body), 404, 'voucher_not_found');
  });

  test.each([
    ['one after the other', (redemption: string, sale: string) => [[sale], [redemption]]],
    ['the redemption first', (redemption: string, sale: string) => [[redemption], [sale]]],
    ['in one batch', (redemption: string, sale: string) => [[sale, redemption]]],
  ])('a voucher that was used stays used until its redemption is voided, too: %s', async (_, batches) => {
    const phone = newPhone();
    const { transactionId, vouchersIssued } = expectSuccess(await submit({ phone }));
    const [{ voucherCode }] = vouchersIssued;
    const redemption = newTransactionId();
    const body = { transactionId: redemption, customer: { phone }, voucherCode, bill: { amount: 1_000 } };
    expectSuccess(await api.post(scene.key, '/transactions/voucher/redeem', body));
    for (const transactionIds of batches(redemption, transactionId)) {
      expectSuccess(await api.post(scene.key, '/transactions/void', { transactionIds }));
    }
    const [row] = await api.owner`
      select redeemed_by, redeemed_at, cancelled_at from vouchers where voucher_code = ${keptCode(voucherCode)}`;
    expect(row).toMatchObject({ redeemed_by: null, redeemed_at: null, cancelled_at: expect.any(Date) });
  });
});

describe('nobody is enrolled', () => {
  test('by an invalid phone number: 400, and no outcome', async () => {
    const transactionId = newTransactionId();
    for (const phone of ['+6512', '12', '+999123456789']) {
      const { issues } = expectError(await submit({ phone }, { transactionId }), 400, 'invalid_request');
      expect(issues[0].path).toBe('customer.phone');
    }
    expectSuccess(await submit({ phone: newPhone() }, { transactionId }));
  });

  test('by a customerId', async () => {
    expectError(await submit({ customerId: newId() }), 404, 'customer_not_found');
  });

  test('where the merchant has not turned it on; the setting applies from the next request on', async () => {
    const phone = newPhone();
    await api.owner`update merchants set enrol_on_sale = false where id = ${scene.merchant.id}`;
    expectError(await submit({ phone }), 404, 'customer_not_found');
    expectError(await submit({ email: newEmail() }), 404, 'customer_not_found');
    await api.owner`update merchants set enrol_on_sale = true where id = ${scene.merchant.id}`;
    expectSuccess(await submit({ phone }));
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
