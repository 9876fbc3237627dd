/** Vouchers, sales, QR codes, orders and stock-outs of another merchant do not exist: 404, as for an id that never was. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { createVoucher } from '@/server/testing/factory-ordering';
import { stateOf, withoutRequestId } from '../expectations';
import { type Answer, ledgerViolations, newTransactionId, restApi } from '../harness';
import { type Call, newEmail, performCall } from '../operations';
import { createOrderingStage, type OrderingStage, orderingAtStore, plainSale } from '../ordering-operations';

const api = restApi();
const stages: Record<string, OrderingStage> = {};

beforeAll(async () => {
  stages.first = await createOrderingStage(api);
  stages.second = await createOrderingStage(api, { currency: 'JPY', country: 'JP' });
});

const stageOf = (name: string): OrderingStage => {
  const stage = stages[name];
  if (!stage) throw new Error(`there is no stage ${name}`);
  return stage;
};

const post = (path: string, body: Record<string, unknown>): Call => ({ method: 'POST', path, body });
const transaction = (path: string, rest: Record<string, unknown>) =>
  post(path, { transactionId: newTransactionId(), ...rest });
const unknownVoucher = 'K7WQM-3RTXV';

interface Case {
  what: string;
  code: string;
  theirs(their: OrderingStage): Promise<string> | string;
  nobodys(): string;
  call(id: string, own: OrderingStage): Call;
}

const customerIds = { theirs: ({ customer }: OrderingStage) => customer.id, nobodys: newId };
const phones = { theirs: ({ customer }: OrderingStage) => customer.phone, nobodys: () => '+6590000003' };
const emails = { theirs: ({ customer }: OrderingStage) => customer.email, nobodys: newEmail };
const qrCodeIds = { theirs: ({ qrCodeId }: OrderingStage) => qrCodeId, nobodys: newId };
const vouchers = {
  theirs: ({ merchant, campaignId, customer }: OrderingStage) =>
    createVoucher(api.owner, merchant.id, { campaignId, customerId: customer.id }),
  nobodys: () => unknownVoucher,
};
const bill = { amount: 5_000 };

const cases: Case[] = [
  ...[
    { by: 'customerId', ids: customerIds },
    { by: 'phone', ids: phones },
    { by: 'email', ids: emails },
  ].flatMap(({ by, ids }): Case[] => [
    {
      what: `${by} of a points redemption`,
      code: 'customer_not_found',
      ...ids,
      call: (id) => transaction('/transactions/points/redeem', { customer: { [by]: id }, points: 1 }),
    },
    {
      what: `${by} of a voucher redemption`,
      code: 'customer_not_found',
      ...ids,
      call: (id) =>
        transaction('/transactions/voucher/redeem', { customer: { [by]: id }, voucherCode: unknownVoucher, bill }),
    },
    {
      what: `${by} of a sale`,
      code: 'customer_not_found',
      ...ids,
      call: (id) => post('/sales', plainSale(5_000, { customer: { [by]: id }, closedAt: '2026-01-01T00:00:00Z' })),
    },
    {
      what: `${by} of a forgotten PIN`,
      code: 'customer_not_found',
      ...ids,
      call: (id) => post('/customers/forget-pin', { customer: { [by]: id } }),
    },
  ]),
  {
    what: 'voucherCode',
    code: 'voucher_not_found',
    ...vouchers,
    call: (voucherCode, { customer }) =>
      transaction('/transactions/voucher/redeem', { customer: { customerId: customer.id }, voucherCode, bill }),
  },
  {
    what: 'voucherCode of a dry run',
    code: 'voucher_not_found',
    ...vouchers,
    call: (voucherCode, { customer }) =>
      transaction('/transactions/voucher/redeem', {
        customer: { customerId: customer.id },
        voucherCode,
        bill,
        dryRun: true,
      }),
  },
  {
    what: 'qrCodeId of a look-up',
    code: 'qr_code_not_found',
    ...qrCodeIds,
    call: (id) => ({ method: 'GET', path: `/qr-codes/${id}` }),
  },
  {
    what: 'qrCodeId of an invalidation',
    code: 'qr_code_not_found',
    ...qrCodeIds,
    call: (qrCodeId) => post('/qr-codes/invalidate', { qrCodeId }),
  },
  {
    what: 'orderId',
    code: 'order_not_found',
    theirs: ({ orderId }) => orderId,
    nobodys: newId,
    call: (orderId) => post(`/orders/${orderId}/status`, { status: 'accepted' }),
  },
  {
    what: 'transactionId of a sale',
    code: 'transaction_not_found',
    theirs: ({ saleId }) => saleId,
    nobodys: newTransactionId,
    call: (id) => ({ method: 'GET', path: `/transactions/${id}` }),
  },
];

/** The answer without what the request itself said, and without the request id. */
const tellingOf = (answer: Answer, id: string) => withoutRequestId(answer).replaceAll(id, '…');

describe.each([
  ['first', 'second'],
  ['second', 'first'],
])('the %s merchant cannot see of the %s', (ownName, theirName) => {
  test.each(cases)('$what', async ({ code, theirs, nobodys, call }) => {
    const [own, their] = [stageOf(ownName), stageOf(theirName)];
    const [theirId, nobodysId] = [await theirs(their), nobodys()];
    const before = [await stateOf(api, own.merchant.id), await stateOf(api, their.merchant.id)];
    const answer = await performCall(api, own.key, call(theirId, own));
    const reference = await performCall(api, own.key, call(nobodysId, own));
    expect([answer.status, answer.body.error?.code], answer.text).toEqual([404, code]);
    expect(tellingOf(answer, theirId)).toBe(tellingOf(reference, nobodysId));
    expect([...answer.headers.keys()].sort()).toEqual([...reference.headers.keys()].sort());
    expect([await stateOf(api, own.merchant.id), await stateOf(api, their.merchant.id)]).toEqual(before);
  });

  test('their bill numbers: each merchant has its own code for the same bill', async () => {
    const [own, their] = [stageOf(ownName), stageOf(theirName)];
    const billId = `bill-${newTransactionId()}`;
    const theirCode = (await api.post(their.key, '/qr-codes', { billId })).body;
    const refused = await api.post(own.key, '/qr-codes/invalidate', { billId });
    expect(refused.body.error.code).toBe('qr_code_not_found');
    const ownCode = (await api.post(own.key, '/qr-codes', { billId })).body;
    expect(ownCode.qrCodeId).not.toBe(theirCode.qrCodeId);
    expect((await api.post(own.key, '/qr-codes/invalidate', { billId })).body.qrCodeId).toBe(ownCode.qrCodeId);
    expect((await api.get(their.key, `/qr-codes/${theirCode.qrCodeId}`)).body.status).toBe('active');
  });

  test('their lists: orders and stock-outs, also with their cursors', async () => {
    const [own, their] = [stageOf(ownName), stageOf(theirName)];
    await api.post(their.key, '/stock-outs', { plus: [`only-${theirName}`, 'N001'] });
    const orders = (await api.get(own.key, '/orders')).body.items;
    expect(orders.map(({ orderId }: { orderId: string }) => orderId)).toEqual([own.orderId]);
    const { nextCursor } = (await api.get(their.key, '/orders?limit=1')).body;
    const after = nextCursor ?? Buffer.from('1').toString('base64url');
    const paged = await api.get(own.key, `/orders?after=${after}`);
    expect(paged.status).toBe(200);
    expect(paged.text).not.toContain(their.orderId);
    const { text } = await api.get(own.key, '/stock-outs');
    expect(text).not.toContain(`only-${theirName}`);
    const restored = await api.post(own.key, '/stock-outs/restore', { plus: [`only-${theirName}`] });
    expect(restored.body.items[0].status).toBe('not_stocked_out');
    const still = (await api.get(their.key, '/stock-outs')).body.items.map(({ plu }: { plu: string }) => plu);
    expect(still).toContain(`only-${theirName}`);
  });

  test('their void: an id of theirs is one never seen', async () => {
    const [own, their] = [stageOf(ownName), stageOf(theirName)];
    const before = await stateOf(api, their.merchant.id);
    const { body } = await api.post(own.key, '/transactions/void', { transactionIds: [their.saleId] });
    expect(body.results).toEqual([{ transactionId: their.saleId, status: 'not_found' }]);
    expect(await stateOf(api, their.merchant.id)).toEqual(before);
  });

  test.each(Object.entries(orderingAtStore))('their store, by %s', async (_, make) => {
    const [own, their] = [stageOf(ownName), stageOf(theirName)];
    const theirStore = 'ONLY-THEIRS';
    await api.owner`update stores set store_code = ${theirStore} where id = ${their.merchant.stores[1].id}`;
    const answers = [
      await performCall(api, own.merchant.key, await make(api, own, theirStore)),
      await performCall(api, own.merchant.key, await make(api, own, 'NO-SUCH-STORE')),
    ];
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'store_not_found']);
    expect(tellingOf(answers[0] as Answer, theirStore)).toBe(tellingOf(answers[1] as Answer, 'NO-SUCH-STORE'));
    const bound = await performCall(api, own.key, await make(api, own, theirStore));
    expect([bound.status, bound.body.error.code]).toEqual([403, 'store_forbidden']);
    await api.owner`update stores set store_code = 'SOUTH' where id = ${their.merchant.stores[1].id}`;
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
