import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { voucherUnitNames } from '@/server/domain/kernel/voucher-units';
import { blockCustomer, createCustomer } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { type Example, pricingExamples } from '@/server/testing/pricing-examples';
import { operationSuite, stateOf, withoutRequestId } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';
import { plainBill } from '../ordering-operations';
import { oweFifty } from '../transactions/owing';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('redeemVoucher', {
  elsewhere: ['pin_required', 'pin_not_set', 'pin_invalid', 'pin_locked', 'voucher_not_stackable'],
});
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api);
});

type Campaign = Parameters<typeof createCampaign>[2];

/** A voucher of the scene's customer, of a campaign of its own. */
async function voucherOf(campaign: Campaign = {}, expiresAt: Date | null = null): Promise<string> {
  const campaignId = await createCampaign(api.owner, scene.merchant.id, campaign);
  return createVoucher(api.owner, scene.merchant.id, { campaignId, customerId: scene.customer.id, expiresAt });
}

const redeem = (voucherCode: string, body: Record<string, unknown> = {}, key = scene.key) =>
  api.post(key, '/transactions/voucher/redeem', {
    transactionId: newTransactionId(),
    customer: { customerId: scene.customer.id },
    voucherCode,
    bill: { amount: 5_000 },
    ...body,
  });

const shown = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`;

const lines = [
  { plu: 'N001', quantity: 2, unitPrice: 890 },
  { plu: 'D001', quantity: 1, unitPrice: 180 },
];

describe('200', () => {
  test('takes off what the guest really pays for a line, not the menu’s price', async () => {
    const terms: Campaign = { unit: 'ItemDollarPercentage', value: 5_000, plus: ['N001'] };
    const dessert = { plu: 'N001', quantity: 1, unitPrice: 500, amount: 250 };
    const halfPrice = await redeem(await voucherOf(terms), { bill: { amount: 250, lines: [dessert] } });
    expect(expectSuccess(halfPrice)).toMatchObject({
      discount: { amount: 125, lines: [{ index: 0, plu: 'N001', amount: 125 }] },
      billAmountAfter: 125,
    });
    const onTheHouse = {
      bill: {
        amount: 900,
        lines: [
          { ...dessert, amount: 0 },
          { plu: 'D001', quantity: 1, unitPrice: 900 },
        ],
      },
    };
    expectError(await redeem(await voucherOf(terms), onTheHouse), 402, 'voucher_not_applicable');
  });

  test('discounts the bill, and returns the amount due', async () => {
    const code = await voucherOf();
    const transactionId = newTransactionId();
    expect(expectSuccess(await redeem(code, { transactionId }))).toEqual({
      transactionId,
      status: 'completed',
      type: 'redeemVoucher',
      customerId: scene.customer.id,
      voucherCode: shown(code),
      unit: 'BillDollarValue',
      discount: { amount: 500, lines: [] },
      billAmountAfter: 4_500,
      currency: 'SGD',
      occurredAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      printText: [
        'Test Kitchen',
        `Voucher                      ${shown(code)}`,
        'Discount                          -$5.00',
        'To pay                            $45.00',
      ].join('\n'),
    });
  });

  test.each(voucherUnitNames)('%s: the parts of the lines', async (unit) => {
    const example = pricingExamples[unit].find(({ lines = [] }) => lines.length > 1) as Example;
    const { bill, amount, parts, lines: printed = [] } = example;
    const { value = 0, plus = [], maxUnits = 1, maxDiscount = null } = example.terms;
    const code = await voucherOf({ unit, value, plus, max_units: maxUnits, max_discount: maxDiscount });
    const billLines = printed.map(([plu, quantity, unitPrice]) => ({ plu, quantity, unitPrice }));
    const answer = expectSuccess(await redeem(code, { bill: { amount: bill, lines: billLines } }));
    expect(answer).toMatchObject({ unit, billAmountAfter: bill - amount });
    expect(answer.discount).toEqual({
      amount,
      lines: parts?.map((part, index) => ({ index, plu: billLines[index]?.plu, amount: part })),
    });
  });

  test('a bill can be discounted to zero', async () => {
    const answer = expectSuccess(await redeem(await voucherOf(), { bill: { amount: 320 } }));
    expect(answer).toMatchObject({ discount: { amount: 320 }, billAmountAfter: 0 });
  });

  test('the code as it was typed: lower case, spaces, dashes', async () => {
    const code = await voucherOf();
    const typed = ` ${code.slice(0, 3).toLowerCase()} ${code.slice(3, 7)}-${code.slice(7)} `;
    expect(expectSuccess(await redeem(typed)).voucherCode).toBe(shown(code));
  });

  test('at the minimum spend, at the store that it is for, on the last day', async () => {
    const storeIds = [scene.merchant.stores[0].id];
    const code = await voucherOf({ min_spend: 5_000, storeIds }, new Date(Date.now() + 60_000));
    expect(expectSuccess(await redeem(code)).discount.amount).toBe(500);
  });

  test('late, from an offline till: the time at the till counts', async () => {
    const hour = 3_600_000;
    const code = await voucherOf({}, new Date(Date.now() - hour));
    expectError(await redeem(code), 402, 'voucher_expired');
    expectSuccess(await redeem(code, { occurredAt: new Date(Date.now() - 2 * hour).toISOString() }));
    const early = await voucherOf({ valid_from: new Date(Date.now() - hour) });
    const before = { occurredAt: new Date(Date.now() - 2 * hour).toISOString() };
    expectError(await redeem(early, before), 402, 'voucher_not_applicable');
    expectSuccess(await redeem(early));
  });

  test('also of a campaign that has ended or is paused: issued vouchers stay valid', async () => {
    const past = new Date(Date.now() - 60_000);
    expectSuccess(await redeem(await voucherOf({ valid_until: past, paused_at: past })));
  });

  test('the customer no longer has it among the balances', async () => {
    const code = await voucherOf();
    const path = `/customers/phone/${encodeURIComponent(scene.customer.phone)}/balances`;
    const codes = async () =>
      (await api.get(scene.key, path)).body.vouchers.map((one: { voucherCode: string }) => one.voucherCode);
    expect(await codes()).toContain(shown(code));
    expectSuccess(await redeem(code));
    expect(await codes()).not.toContain(shown(code));
  });
});

describe('dryRun', () => {
  test('returns the same discount and changes nothing: voucher and id stay unused', async () => {
    const code = await voucherOf({ unit: 'ItemDollarPercentage', value: 5_000, plus: ['N001'] });
    const request = { transactionId: newTransactionId(), bill: { amount: 1_960, lines } };
    const before = await stateOf(api, scene.merchant.id);
    const dry = expectSuccess(await redeem(code, { ...request, dryRun: true }));
    expect(dry).toMatchObject({ status: 'dryRun', discount: { amount: 445 }, billAmountAfter: 1_515 });
    expectSuccess(await redeem(code, { ...request, dryRun: true }));
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
    expect((await api.get(scene.key, `/transactions/${request.transactionId}`)).status).toBe(404);
    const real = await redeem(code, request);
    expect(real.headers.get('idempotent-replayed')).toBeNull();
    const { discount, billAmountAfter, printText } = expectSuccess(real);
    expect({ discount, billAmountAfter, printText }).toEqual({
      discount: dry.discount,
      billAmountAfter: dry.billAmountAfter,
      printText: dry.printText,
    });
  });

  test('a refusal is no outcome of the id', async () => {
    const code = await voucherOf({ min_spend: 6_000 });
    const transactionId = newTransactionId();
    const before = await stateOf(api, scene.merchant.id);
    expectError(await redeem(code, { transactionId, dryRun: true }), 402, 'minimum_spend_not_met');
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
    expectSuccess(await redeem(code, { transactionId, bill: { amount: 6_000 } }));
  });

  test('under an id that was used or voided is refused like the redemption itself would be', async () => {
    const transactionId = newTransactionId();
    expectSuccess(await redeem(await voucherOf(), { transactionId }));
    const code = await voucherOf();
    const { details } = expectError(
      await redeem(code, { transactionId, dryRun: true }),
      402,
      'transaction_id_conflict',
    );
    expect(details).toEqual({ type: 'redeemVoucher', status: 'completed' });
    expectSuccess(await api.post(scene.key, '/transactions/void', { transactionIds: [transactionId] }));
    expectError(await redeem(code, { transactionId, dryRun: true }), 402, 'transaction_voided');
  });

  test('of a voucher that is used says so', async () => {
    const code = await voucherOf();
    expectSuccess(await redeem(code));
    expectError(await redeem(code, { dryRun: true }), 402, 'voucher_redeemed');
  });
});

describe('400', () => {
  test('invalid_request', async () => {
    const { issues } = expectError(await redeem('', { bill: {} }), 400, 'invalid_request');
    expect(issues.map(({ path }: { path: string }) => path)).toEqual(['voucherCode', 'bill.amount']);
  });

  test('bill_lines_required is no outcome of the id', async () => {
    const code = await voucherOf({ unit: 'ItemDollarValue', plus: ['N001'] });
    const transactionId = newTransactionId();
    const { issues } = expectError(await redeem(code, { transactionId }), 400, 'bill_lines_required');
    expect(issues[0].path).toBe('bill.lines');
    const none = { amount: 1_960, lines: [] };
    expectError(await redeem(code, { transactionId, bill: none }), 400, 'bill_lines_required');
    expectSuccess(await redeem(code, { transactionId, bill: { amount: 1_960, lines } }));
  });
});

test('401 invalid_api_key', async () => {
  expectError(await redeem(await voucherOf(), {}, 'no key'), 401, 'invalid_api_key');
});

describe('402', () => {
  /** Refused, and refused again after the state of things has changed: the outcome of its id. */
  async function expectKept(code: string, refusal: string, body: Record<string, unknown> = {}) {
    const request = { transactionId: newTransactionId(), ...body };
    const first = await redeem(code, request);
    const error = expectError(first, 402, refusal);
    const again = await redeem(code, request);
    expect(withoutRequestId(again)).toBe(withoutRequestId(first));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    return error;
  }

  test('voucher_redeemed', async () => {
    const code = await voucherOf();
    expectSuccess(await redeem(code));
    await expectKept(code, 'voucher_redeemed');
  });

  test('customer_blocked, also in a dry run', async () => {
    const blocked = await createCustomer(api.owner, scene.merchant.id);
    await blockCustomer(api.owner, blocked.id);
    const code = await voucherOf();
    await api.owner`update vouchers set customer_id = ${blocked.id} where voucher_code = ${code}`;
    const request = { customer: { customerId: blocked.id } };
    expectError(await redeem(code, { ...request, dryRun: true }), 402, 'customer_blocked');
    expectError(await redeem(code, request), 402, 'customer_blocked');
  });

  test('points_owed while the customer owes points, if the merchant refuses that', async () => {
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    await oweFifty(api, scene.key, id);
    await api.owner`update merchants set refuses_owing = true where id = ${scene.merchant.id}`;
    onTestFinished(async () => {
      await api.owner`update merchants set refuses_owing = false where id = ${scene.merchant.id}`;
    });
    const code = await voucherOf();
    await api.owner`update vouchers set customer_id = ${id} where voucher_code = ${code}`;
    const request = { customer: { customerId: id } };
    expectError(await redeem(code, { ...request, dryRun: true }), 402, 'points_owed');
    expectError(await redeem(code, request), 402, 'points_owed');
  });

  test('voucher_expired says when', async () => {
    const expiresAt = new Date(Date.now() - 1_000);
    const { details } = await expectKept(await voucherOf({}, expiresAt), 'voucher_expired');
    expect(details).toEqual({ expiredAt: expiresAt.toISOString() });
  });

  test('voucher_not_applicable: no line has its items, another store, before its start', async () => {
    const item = await voucherOf({ unit: 'ItemDollarValue', plus: ['N009'] });
    await expectKept(item, 'voucher_not_applicable', { bill: { amount: 1_960, lines } });
    await expectKept(await voucherOf({ storeIds: [scene.merchant.stores[1].id] }), 'voucher_not_applicable');
    await expectKept(await voucherOf({ valid_from: new Date(Date.now() + 60_000) }), 'voucher_not_applicable');
  });

  test('minimum_spend_not_met returns the missing amount', async () => {
    const { details } = await expectKept(await voucherOf({ min_spend: 5_001 }), 'minimum_spend_not_met');
    expect(details).toEqual({ minSpend: 5_001, billAmount: 5_000 });
  });

  test('a refusal leaves the voucher as it was', async () => {
    const code = await voucherOf({ min_spend: 5_001 });
    await expectKept(code, 'minimum_spend_not_met');
    expectSuccess(await redeem(code, { bill: { amount: 5_001 } }));
  });

  test('transaction_id_conflict and transaction_voided', async () => {
    const code = await voucherOf();
    const request = { transactionId: newTransactionId() };
    expectSuccess(await redeem(code, request));
    expectError(await redeem(code, { ...request, bill: { amount: 4_999 } }), 402, 'transaction_id_conflict');
    await api.post(scene.key, '/transactions/void', { transactionIds: [request.transactionId] });
    expectError(await redeem(code, request), 402, 'transaction_voided');
  });

  test('bill_closed: the bill has ended', async () => {
    const code = await voucherOf();
    const billId = newTransactionId();
    await api.put(scene.key, `/bills/${billId}`, plainBill(5_000));
    await api.post(scene.key, `/bills/${billId}/close`, {});
    expect(expectError(await redeem(code, { billId, dryRun: true }), 402, 'bill_closed').details).toEqual({
      state: 'closed',
    });
  });

  test('bill_due_exceeded: the discount is more than its open bill needs, also in a dry run', async () => {
    const code = await voucherOf();
    const billId = newTransactionId();
    await api.put(scene.key, `/bills/${billId}`, plainBill(499));
    for (const dryRun of [true, false]) {
      const { details } = expectError(await redeem(code, { billId, dryRun }), 402, 'bill_due_exceeded');
      expect(details).toEqual({ due: 499, held: 0, requested: 500 });
    }
    await api.put(scene.key, `/bills/${billId}`, plainBill(500, { revision: 2 }));
    expectSuccess(await redeem(code, { billId }));
  });
});

test('403 store_forbidden', async () => {
  expectError(await redeem(await voucherOf(), { storeCode: 'SOUTH' }), 403, 'store_forbidden');
});

describe('404', () => {
  test('voucher_not_found: never issued, mistyped, no code at all, cancelled', async () => {
    const code = await voucherOf();
    const swapped = `${code.slice(0, 8)}${code[9]}${code[8]}`;
    const cancelled = await voucherOf();
    await api.owner`update vouchers set cancelled_at = now() where voucher_code = ${cancelled}`;
    const wrong = code[8] === code[9] ? [] : [swapped];
    for (const typed of [...wrong, 'K7WQM-3RTXV', 'x', '💩', cancelled]) {
      const transactionId = newTransactionId();
      expectError(await redeem(typed, { transactionId }), 404, 'voucher_not_found');
      expect((await api.get(scene.key, `/transactions/${transactionId}`)).status).toBe(404);
    }
  });

  test("voucher_not_found: another customer's, without revealing whose it is", async () => {
    const code = await voucherOf();
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    const theirs = await redeem(code, { customer: { customerId: id } });
    const nobodys = await redeem('K7WQM-3RTXV', { customer: { customerId: id } });
    expectError(theirs, 404, 'voucher_not_found');
    expect(withoutRequestId(theirs)).toBe(withoutRequestId(nobodys));
    expectSuccess(await redeem(code));
  });

  test('customer_not_found and store_not_found', async () => {
    const code = await voucherOf();
    expectError(await redeem(code, { customer: { customerId: newId() } }), 404, 'customer_not_found');
    expectError(await redeem(code, { storeCode: 'EAST' }, scene.merchant.key), 404, 'store_not_found');
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
