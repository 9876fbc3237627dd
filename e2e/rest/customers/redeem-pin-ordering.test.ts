/** The PIN of voucher and points redemptions: asked for as with stored value (`redeem-pin.test.ts`), dry runs among them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { createCustomer } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { operationSuite, stateOf } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';
import { plainSale } from '../ordering-operations';

const api = restApi();
let scene: Scene;
let campaignId: string;

beforeAll(async () => {
  scene = await createScene(api, { pin_required: true });
  campaignId = await createCampaign(api.owner, scene.merchant.id);
});

const right = '4831';
const wrong = '4832';

const operations = [
  { operation: 'redeemVoucher', path: '/transactions/voucher/redeem' },
  { operation: 'redeemPoints', path: '/transactions/points/redeem' },
];

describe.each(operations)('$operation', ({ operation, path }) => {
  const { expectError, expectSuccess } = operationSuite(operation);

  /** What a customer with 100 points and a voucher sends. */
  async function visitor(pin?: string) {
    const { id } = await createCustomer(api.owner, scene.merchant.id, pin === undefined ? {} : { pin });
    const customer = { customerId: id };
    await api.post(scene.key, '/sales', plainSale(10_000, { customer }));
    const voucherCode = await createVoucher(api.owner, scene.merchant.id, { campaignId, customerId: id });
    const what = operation === 'redeemPoints' ? { points: 10 } : { voucherCode, bill: { amount: 5_000 } };
    const body = () => ({ transactionId: newTransactionId(), customer, ...what });
    return { id, body };
  }
  const redeem = (body: Record<string, unknown>) => api.post(scene.key, path, body);
  const stateOfId = async (id: unknown) => (await api.get(scene.key, `/transactions/${id}`)).status;

  test('400 pin_required, 402 pin_invalid: no outcome of the id, which then succeeds', async () => {
    const { body } = await visitor(right);
    const request = body();
    expect(expectError(await redeem(request), 400, 'pin_required').issues).toEqual([
      { path: 'pin', message: 'is required' },
    ]);
    const { details } = expectError(await redeem({ ...request, pin: wrong }), 402, 'pin_invalid');
    expect(details).toEqual({ attemptsLeft: 4 });
    expect(await stateOfId(request.transactionId)).toBe(404);
    const answer = await redeem({ ...request, pin: right });
    expectSuccess(answer);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
  });

  test('402 pin_not_set', async () => {
    const { body } = await visitor();
    const request = { ...body(), pin: right };
    expectError(await redeem(request), 402, 'pin_not_set');
    expect(await stateOfId(request.transactionId)).toBe(404);
  });

  test('402 pin_locked after five, shared by all redemptions; a right PIN before clears the count', async () => {
    const { id, body } = await visitor(right);
    for (let i = 0; i < 4; i++) await redeem({ ...body(), pin: wrong });
    expectSuccess(await redeem({ ...body(), pin: right }));
    for (let i = 0; i < 4; i++) await redeem({ ...body(), pin: wrong });
    const { details } = expectError(await redeem({ ...body(), pin: wrong }), 402, 'pin_locked');
    expect(details).toEqual({ retryAfterSeconds: 900 });
    expectError(await redeem({ ...body(), pin: right }), 402, 'pin_locked');
    const stored = { transactionId: newTransactionId(), customer: { customerId: id }, amount: 1, pin: right };
    const elsewhere = await api.post(scene.key, '/transactions/stored-value/redeem', stored);
    expect(elsewhere.body.error.code).toBe('pin_locked');
  });

  test('checks the shape, then the customer, then the PIN, then the balance', async () => {
    const { body } = await visitor(right);
    expectError(await redeem({ ...body(), pin: '483' }), 400, 'invalid_request');
    expectError(await redeem({ ...body(), customer: { customerId: newId() } }), 404, 'customer_not_found');
    const beyond = { points: 999, voucherCode: 'K7WQM-3RTXV' };
    const asked = Object.keys(body()).includes('points')
      ? { points: beyond.points }
      : { voucherCode: beyond.voucherCode };
    const { details } = expectError(await redeem({ ...body(), ...asked, pin: wrong }), 402, 'pin_invalid');
    expect(details).toEqual({ attemptsLeft: 4 });
    const { status } = await redeem({ ...body(), ...asked, pin: right });
    expect(status).toBe(operation === 'redeemPoints' ? 402 : 404);
  });

  test('no PIN is required to replay the first response', async () => {
    const { body } = await visitor(right);
    const request = body();
    const first = await redeem({ ...request, pin: right });
    for (const pin of [undefined, wrong]) {
      const again = await redeem({ ...request, pin });
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  test('of 50 concurrent guesses five are checked', async () => {
    const { body } = await visitor(right);
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem({ ...body(), pin: wrong })));
    const counted = answers.filter((answer) => answer.body.error.code === 'pin_invalid');
    expect(counted.map((answer) => answer.body.error.details.attemptsLeft).sort()).toEqual([1, 2, 3, 4]);
    for (const answer of answers.filter((one) => !counted.includes(one))) expectError(answer, 402, 'pin_locked');
  });
});

test('a sale requires no PIN, and has no field for one', async () => {
  const { id } = await createCustomer(api.owner, scene.merchant.id, { pin: right });
  const sale = plainSale(10_000, { customer: { customerId: id } });
  expect((await api.post(scene.key, '/sales', sale)).status).toBe(200);
  expect((await api.post(scene.key, '/sales', { ...sale, pin: right })).status).toBe(400);
});

describe('a dry run', () => {
  const { expectError, expectSuccess } = operationSuite('redeemVoucher');

  async function dryRun(pin?: string) {
    const { id } = await createCustomer(api.owner, scene.merchant.id, { pin: right });
    const voucherCode = await createVoucher(api.owner, scene.merchant.id, { campaignId, customerId: id });
    const request = { customer: { customerId: id }, voucherCode, bill: { amount: 5_000 }, dryRun: true, pin };
    const send = (rest: Record<string, unknown> = {}) =>
      api.post(scene.key, '/transactions/voucher/redeem', { transactionId: newTransactionId(), ...request, ...rest });
    return { id, send };
  }

  test('requires the PIN, and counts a wrong one, so that it cannot be used to guess', async () => {
    const { send } = await dryRun();
    expectError(await send(), 400, 'pin_required');
    for (const attemptsLeft of [4, 3, 2, 1]) {
      expect(expectError(await send({ pin: wrong }), 402, 'pin_invalid').details).toEqual({ attemptsLeft });
    }
    expectError(await send({ pin: wrong }), 402, 'pin_locked');
    expectError(await send({ pin: right, dryRun: false }), 402, 'pin_locked');
  });

  test('changes nothing but that count', async () => {
    const { id, send } = await dryRun();
    const before = await stateOf(api, scene.merchant.id);
    expectSuccess(await send({ pin: right }));
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
    expectError(await send({ pin: wrong }), 402, 'pin_invalid');
    const { customer_pins: pins, ...rest } = await stateOf(api, scene.merchant.id);
    expect({ customer_pins: before.customer_pins, ...rest }).toEqual(before);
    expect(pins).not.toBe(before.customer_pins);
    const [row] = await api.owner`select failures from customer_pins where customer_id = ${id}`;
    expect(row?.failures).toBe(1);
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
