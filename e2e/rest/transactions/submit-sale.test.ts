import { beforeAll, describe, expect, test } from 'vitest';
import { endOfMonthAfter } from '@/server/domain/kernel/calendar';
import { newId } from '@/server/domain/kernel/ids';
import { createCustomer } from '@/server/testing/factory';
import { operationSuite, stateOf } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';
import { plainBill, plainSale, saleBody } from '../ordering-operations';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('submitSale');
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api, { earn_points: 3, earn_per_amount: 500, point_value: 2, points_expiry_months: 1 });
});

const submit = (body: Record<string, unknown>, key = scene.key) => api.post(key, '/sales', body);
const newCustomer = async () => {
  const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
  return { phone, customer: { customerId: id } };
};

async function pointsOf(phone: string, key = scene.key) {
  return (await api.get(key, `/customers/phone/${encodeURIComponent(phone)}/balances`)).body.points;
}

describe('200', () => {
  test('records what was paid without a customer nobody knows, and says so', async () => {
    const erased = await newCustomer();
    await api.owner`update customers set erased_at = now(), phone = null where id = ${erased.customer.customerId}`;
    for (const customer of [{ phone: '+6599999999' }, { phone: '123' }, { email: 'no@example.com' }, erased.customer]) {
      const body = saleBody({ customer, ifCustomerUnknown: 'recordWithout' });
      const answer = expectSuccess(await submit(body));
      expect(answer).toMatchObject({ customerId: null, customerUnknown: true, pointsEarned: 0, points: null });
      expect(answer.printText).toContain('\nCustomer not found');
      const repeated = await submit(body);
      expect([repeated.body, repeated.headers.get('idempotent-replayed')]).toEqual([answer, 'true']);
      const refused = await submit(saleBody({ customer, ifCustomerUnknown: 'refuse' }));
      expect([400, 404]).toContain(refused.status);
      expect((await submit(saleBody({ customer }))).status).toBe(refused.status);
    }
  });

  test('records what was paid whatever the till sends as its customer', async () => {
    const malformed = [
      { email: 'mei.example.com' },
      { customerId: '42' },
      { phone: '' },
      { phone: '+6591234567', email: 'mei@example.com' },
      { name: 'Mei' },
      {},
      null,
      '+6591234567',
    ];
    for (const customer of malformed) {
      const body = saleBody({ customer, ifCustomerUnknown: 'recordWithout' });
      const answer = expectSuccess(await submit(body));
      expect(answer).toMatchObject({ customerId: null, customerUnknown: true, pointsEarned: 0 });
      expect((await submit(body)).body).toEqual(answer);
      const { issues } = expectError(await submit(saleBody({ customer })), 400, 'invalid_request');
      expect(issues[0].path).toMatch(/^customer/);
    }
  });

  test('collects what the customer owes before the customer gains', async () => {
    const own = await createScene(api);
    const { id, phone } = await createCustomer(api.owner, own.merchant.id);
    const customer = { customerId: id };
    let taken = 0;
    // Round after round: earn, redeem, and have the sale voided.
    for (let round = 0; round < 3; round++) {
      const sale = plainSale(5_000, { customer });
      await submit(sale, own.key);
      const { body } = await api.post(own.key, '/transactions/points/redeem', {
        transactionId: newTransactionId(),
        customer,
        points: 50,
      });
      taken += body.amount ?? 0;
      await api.post(own.key, '/transactions/void', { transactionIds: [sale.transactionId] });
    }
    expect(taken).toBe(50);
    const owed = async () => (await pointsOf(phone, own.key)).owed;
    expect(await owed()).toBe(50);
    const first = expectSuccess(await submit(plainSale(3_000, { customer }), own.key));
    expect(first).toMatchObject({ pointsEarned: 30, pointsRepaid: 30, pointsOwed: 20, points: { balance: 0 } });
    expect(first.printText.split('\n').slice(2)).toEqual([
      'Points earned                         30',
      'Owed points paid                     -30',
      'Points owed                           20',
      'Points                                 0',
    ]);
    // The duplicate's debt is the kept customer's.
    const kept = await createCustomer(api.owner, own.merchant.id);
    await api.owner`update customers set merged_into = ${kept.id} where id = ${id}`;
    await api.owner`update balances set merged_at = now() where customer_id = ${id}`;
    expect((await pointsOf(kept.phone, own.key)).owed).toBe(20);
    const [a, b] = await Promise.all(
      [1_500, 1_500].map((total) => submit(plainSale(total, { customer: { customerId: kept.id } }), own.key)),
    );
    expect(expectSuccess(a as never).pointsRepaid + expectSuccess(b as never).pointsRepaid).toBe(20);
    expect(await pointsOf(kept.phone, own.key)).toMatchObject({ balance: 10, owed: 0 });
  });

  test('what the merchant excludes earns nothing: by PLU, and by category of the menu', async () => {
    const own = await createScene(api);
    const { id } = await createCustomer(api.owner, own.merchant.id);
    const [categoryId, itemId] = [newId(), newId()];
    await api.owner`insert into menu_categories ${api.owner({ merchant_id: own.merchant.id, id: categoryId, name: 'Cards', position: 9 })}`;
    await api.owner`insert into menu_items ${api.owner({ merchant_id: own.merchant.id, id: itemId, category_id: categoryId, plu: 'GIFT', name: 'Gift card', price: 5_000, position: 1 })}`;
    await api.owner`
      update merchants set no_points_plus = '{TOPUP}', no_points_category_ids = ${[categoryId]} where id = ${own.merchant.id}`;
    const line = (plu: string, amount: number) => ({ plu, name: plu, quantity: 1, unitPrice: amount, amount });
    const sell = async (lines: object[], subtotal: number, discount: number) => {
      const total = subtotal - discount;
      const sums = { subtotal, discount, serviceCharge: 0, tax: 0, rounding: 0, total };
      const body = saleBody({ customer: { customerId: id }, lines, ...sums });
      return expectSuccess(await submit({ ...body, payments: [{ method: 'cash', amount: total }] }, own.key))
        .pointsEarned;
    };
    expect(await sell([line('TOPUP', 10_000)], 10_000, 0)).toBe(0);
    expect(await sell([line('GIFT', 5_000), line('N001', 2_000)], 7_000, 0)).toBe(20);
    // The discount counts for all lines in proportion.
    expect(await sell([line('TOPUP', 6_000), line('N001', 4_000)], 10_000, 1_000)).toBe(36);
    expect(await sell([line('N001', 4_000)], 4_000, 1_000)).toBe(30);
  });

  test('a known customer is the sale’s, whatever should be done with an unknown one', async () => {
    const { customer } = await newCustomer();
    const answer = expectSuccess(await submit(saleBody({ customer, ifCustomerUnknown: 'recordWithout' })));
    expect(answer).toMatchObject({ customerId: customer.customerId, pointsEarned: 9 });
    expect(answer).not.toHaveProperty('customerUnknown');
  });

  test('where sales enrol, a new number is enrolled, and a mistyped one recorded without', async () => {
    const other = await createScene(api, { enrol_on_sale: true });
    const send = (phone: string) =>
      submit(saleBody({ customer: { phone }, ifCustomerUnknown: 'recordWithout' }), other.key);
    expect(expectSuccess(await send('+6591110001')).customerId).not.toBeNull();
    expect(expectSuccess(await send('12345'))).toMatchObject({ customerId: null, customerUnknown: true });
  });

  test('stores the bill unchanged and credits the points of its goods', async () => {
    const { phone, customer } = await newCustomer();
    const body = saleBody({ customer, billId: 'B-7', receiptNumber: 'R-7', staffId: 'S-7' });
    expect(expectSuccess(await submit(body))).toEqual({
      transactionId: body.transactionId,
      status: 'completed',
      type: 'sale',
      customerId: customer.customerId,
      // 17.80 of goods: three times 5.00 whole, 3 points each.
      pointsEarned: 9,
      overpaid: 0,
      points: { balance: 9, worth: 18 },
      vouchersIssued: [],
      currency: 'SGD',
      occurredAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      printText: [
        'Test Kitchen',
        'Total                             $21.35',
        'Points earned                          9',
        'Points                                 9',
      ].join('\n'),
    });
    const [row] = await api.owner`
      select s.*, t.bill_id, t.receipt_number, t.staff_id, t.amount,
        (select json_agg(json_build_array(plu, name, quantity, unit_price, amount)) from sale_lines l
          where l.transaction_uid = s.transaction_uid) as lines,
        (select json_agg(json_build_array(method, amount)) from sale_payments p
          where p.transaction_uid = s.transaction_uid) as payments
      from sales s join transactions t on t.uid = s.transaction_uid where t.transaction_id = ${body.transactionId}`;
    expect(row).toMatchObject({ subtotal: '1780', discount: '0', service_charge: '178', tax: '176', rounding: '1' });
    expect(row).toMatchObject({
      total: '2135',
      amount: '2135',
      points_earned: '9',
      closed_at: new Date(body.closedAt),
    });
    expect(row).toMatchObject({ bill_id: 'B-7', receipt_number: 'R-7', staff_id: 'S-7' });
    expect(row).toMatchObject({ lines: [['N001', 'Laksa', 2, 890, 1_780]], payments: [['visa', 2_135]] });
    expect((await pointsOf(phone)).balance).toBe(9);
  });

  test.each(['2026-11-20T10:00:00+18:00', '2026-11-20T10:00:00.123456789-11:30'])(
    'a bill that was closed at %s is kept as of that instant',
    async (closedAt) => {
      const body = saleBody({ closedAt });
      expectSuccess(await submit(body));
      const [row] = await api.owner`
        select closed_at from sales s join transactions t on t.uid = s.transaction_uid
        where t.transaction_id = ${body.transactionId}`;
      expect(row?.closed_at).toEqual(new Date(closedAt));
    },
  );

  test.each([
    [499, 0, 0],
    [500, 0, 3],
    [1_499, 0, 6],
    [1_500, 1, 6],
    [500, 500, 0],
    [0, 0, 0],
  ])('%i of goods less %i discount earn %i points', async (subtotal, discount, earned) => {
    const { customer } = await newCustomer();
    const total = subtotal - discount;
    const answer = await submit(
      plainSale(subtotal, { customer, discount, total, payments: [{ method: 'x', amount: total }] }),
    );
    expect(expectSuccess(answer)).toMatchObject({ pointsEarned: earned, points: { balance: earned } });
  });

  test('what was struck out and handed back by lines below zero earns nothing', async () => {
    const { phone, customer } = await newCustomer();
    const lines = [
      { plu: 'N001', name: 'Laksa', quantity: 2, unitPrice: 1_000, amount: 2_000 },
      { plu: 'N001', name: 'Laksa', quantity: -1, unitPrice: 1_000, amount: -1_000 },
      { plu: 'BOTTLE', name: 'Deposit', quantity: -2, unitPrice: 25, amount: -50 },
    ];
    const sums = { lines, subtotal: 950, serviceCharge: 0, tax: 0, rounding: 0, total: 950 };
    // 9.50 of goods: once 5.00 whole.
    const body = saleBody({ customer, ...sums, payments: [{ method: 'cash', amount: 950 }] });
    expect(expectSuccess(await submit(body)).pointsEarned).toBe(3);
    expect(await pointsOf(phone)).toMatchObject({ balance: 3 });
  });

  test('a Japanese sale of 1100 with 100 of tax in it goes through; points are earned with or without the tax', async () => {
    const rules = { currency: 'JPY', earn_points: 1, earn_per_amount: 100, point_value: 1, points_expiry_months: null };
    const sale = {
      lines: [{ plu: 'N001', name: 'Ramen', quantity: 1, unitPrice: 1_100, amount: 1_100 }],
      subtotal: 1_100,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      taxIncluded: [{ rate: 10, amount: 100 }],
      rounding: 0,
      total: 1_100,
      payments: [{ method: 'cash', amount: 1_100 }],
    };
    for (const [points_on_net, pointsEarned] of [
      [false, 11],
      [true, 10],
    ] as const) {
      const { merchant, key } = await createScene(api, { ...rules, points_on_net });
      const { id } = await createCustomer(api.owner, merchant.id);
      const body = saleBody({ ...sale, customer: { customerId: id } });
      const answer = expectSuccess(await submit(body, key));
      expect(answer).toMatchObject({ currency: 'JPY', pointsEarned });
      expect(answer.printText).toMatch(/\nTax included +JP¥100\n/);
      const [row] = await api.owner`
        select total::int, tax::int, tax_included from sales s join transactions t on t.uid = s.transaction_uid
        where t.transaction_id = ${body.transactionId}`;
      expect(row).toEqual({ total: 1_100, tax: 0, tax_included: [{ rate: 10, amount: 100 }] });
    }
  });

  test('tax, service charge and rounding earn nothing', async () => {
    const { customer } = await newCustomer();
    const lines = [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: 400, amount: 400 }];
    const sums = { lines, subtotal: 400, serviceCharge: 5_000, tax: 5_000, rounding: -1, total: 10_399 };
    const answer = await submit(saleBody({ customer, ...sums, payments: [{ method: 'cash', amount: 10_399 }] }));
    expect(expectSuccess(answer).pointsEarned).toBe(0);
  });

  test('without a customer it is stored and earns nothing', async () => {
    const body = saleBody();
    const answer = expectSuccess(await submit(body));
    expect(answer).toMatchObject({ customerId: null, pointsEarned: 0, points: null, vouchersIssued: [] });
    expect(answer.printText).toBe('Test Kitchen\nTotal                             $21.35');
    const state = await api.get(scene.key, `/transactions/${body.transactionId}`);
    expect(state.body).toMatchObject({ status: 'completed', type: 'sale', answer });
  });

  test('weights to the gram, several payments, none where there is nothing to pay', async () => {
    const line = { plu: 'W001', name: 'Prawns', quantity: 0.735, unitPrice: 3_200, amount: 2_352 };
    const payments = [
      { method: 'stored-value', amount: 2_000 },
      { method: 'cash', amount: 352 },
    ];
    expectSuccess(await submit(plainSale(2_352, { lines: [line], payments })));
    expectSuccess(await submit(plainSale(0, { payments: [] })));
    const [{ quantity }] = await api.owner<[{ quantity: string }]>`
      select quantity from sale_lines where merchant_id = ${scene.merchant.id} and plu = 'W001'`;
    expect(quantity).toBe('0.735');
  });

  test('402 limit_exceeded for a sale that is too large to earn points, for good; without the customer it is recorded', async () => {
    const { customer, key } = await createScene(api, { earning_sale_limit: 10_000 });
    const body = plainSale(10_001, { customer: { customerId: customer.id } });
    const { details } = expectError(await submit(body, key), 402, 'limit_exceeded');
    expect(details).toEqual({ limit: 'earningSaleLimit', maximum: 10_000, requested: 10_001 });
    expectError(await submit(body, key), 402, 'limit_exceeded');
    expectSuccess(await submit(plainSale(10_001), key));
    expectSuccess(await submit(plainSale(10_000, { customer: { customerId: customer.id } }), key));
  });

  test('402 bill_changed if another sum is due than the till expects; the id stays free', async () => {
    const { key } = await createScene(api);
    const billId = newTransactionId();
    const { openedAt } = (await api.put(key, `/bills/${billId}`, plainBill(1_000))).body;
    const body = plainSale(1_000, { billId, expectedDue: 100 });
    const { details } = expectError(await submit(body, key), 402, 'bill_changed');
    expect(details).toEqual({ expectedDue: 100, due: 1_000, held: 0, redeemed: 0, paid: 0, openedAt });
    expectSuccess(await submit({ ...body, expectedDue: 1_000 }, key));
  });

  test.each([{ expectedDue: 1_000 }, { closesBill: false }])(
    '400 for what is about a bill, without one: %j',
    async (field) => {
      const [name] = Object.keys(field);
      const { issues } = expectError(await submit(plainSale(1_000, field)), 400, 'invalid_request');
      expect(issues).toMatchObject([{ path: name, message: 'needs billId: it is about a bill' }]);
    },
  );

  test('the largest sum that there is', async () => {
    const { customer, key } = await createScene(api, { earn_per_amount: 1 });
    const body = plainSale(99_999_999_999, { customer: { customerId: customer.id } });
    expect(expectSuccess(await submit(body, key)).pointsEarned).toBe(99_999_999_999);
  });
});

describe('late, from an offline till', () => {
  const day = 24 * 3_600_000;

  test('points count, and expire, from when it happened', async () => {
    const own = await createScene(api, { points_expiry_months: 2 });
    // Always in another month than today.
    const occurredAt = new Date(Date.now() - 31 * day + 10_000);
    const body = plainSale(5_000, { customer: { customerId: own.customer.id }, occurredAt: occurredAt.toISOString() });
    expect(expectSuccess(await submit(body, own.key)).occurredAt).toBe(occurredAt.toISOString());
    const expiresAt = endOfMonthAfter(occurredAt, 2, { timeZone: 'Asia/Singapore', dayStartsAt: 0 }).toISOString();
    expect((await pointsOf(own.customer.phone, own.key)).expiring).toEqual([{ points: 50, expiresAt }]);
  });

  test('points that had expired before it arrived are recorded and never counted', async () => {
    const own = await createScene(api, { points_expiry_months: 0 });
    const lastMonth = new Date(Date.now() - 31 * day + 10_000).toISOString();
    const body = plainSale(5_000, { customer: { customerId: own.customer.id }, occurredAt: lastMonth });
    const answer = expectSuccess(await submit(body, own.key));
    expect(answer).toMatchObject({ pointsEarned: 50, points: { balance: 0, worth: 0 } });
    expect((await pointsOf(own.customer.phone, own.key)).balance).toBe(0);
  });
});

describe('400', () => {
  test('invalid_request', async () => {
    const body = saleBody({ lines: [], closedAt: 'today', total: -1 });
    const { issues } = expectError(await submit(body), 400, 'invalid_request');
    expect(issues.map(({ path }: { path: string }) => path)).toEqual(['lines', 'total', 'closedAt']);
  });

  test.each(['0000-01-01T00:00:00Z', '1999-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00', '2026-02-30T00:00:00Z'])(
    'no till closes a bill at %s',
    async (closedAt) => {
      const { issues } = expectError(await submit(saleBody({ closedAt })), 400, 'invalid_request');
      expect(issues).toEqual([{ path: 'closedAt', message: expect.any(String) }]);
    },
  );

  test('totals_mismatch names each wrong sum, stores nothing and is no outcome', async () => {
    const { customer } = await newCustomer();
    const body = saleBody({ customer });
    const before = await stateOf(api, scene.merchant.id);
    for (const off of [{ total: 2_136 }, { tax: 177 }, { discount: 1 }, { rounding: 0 }, { serviceCharge: 0 }]) {
      const { issues, details } = expectError(await submit({ ...body, ...off }), 400, 'totals_mismatch');
      const paths = issues.map(({ path }: { path: string }) => path);
      expect(paths).toEqual('total' in off ? ['total', 'payments'] : ['total']);
      expect(details.paid).toBe(2_135);
    }
    const [line] = body.lines as [object];
    const { issues } = expectError(
      await submit({ ...body, lines: [{ ...line, amount: 1_779 }] }),
      400,
      'totals_mismatch',
    );
    expect(issues).toEqual([{ path: 'lines', message: 'add up to 1779; the subtotal is 1780' }]);
    const unpaid = { ...body, payments: [{ method: 'cash', amount: 2_134 }] };
    expect(expectError(await submit(unpaid), 400, 'totals_mismatch').issues[0].path).toBe('payments');
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
    expectSuccess(await submit(body));
  });
});

test('401 invalid_api_key', async () => {
  expectError(await submit(saleBody(), 'no key'), 401, 'invalid_api_key');
});

test('402 transaction_id_conflict and transaction_voided', async () => {
  const body = saleBody();
  expectSuccess(await submit(body));
  expectError(await submit({ ...body, billId: 'another' }), 402, 'transaction_id_conflict');
  await api.post(scene.key, '/transactions/void', { transactionIds: [body.transactionId] });
  expectError(await submit(body), 402, 'transaction_voided');
});

test('403 store_forbidden', async () => {
  expectError(await submit(saleBody({ storeCode: 'SOUTH' })), 403, 'store_forbidden');
});

test('404 customer_not_found is no outcome: the sale may be sent again without the customer', async () => {
  const transactionId = newTransactionId();
  for (const customer of [{ customerId: newId() }, { phone: '+6590000001' }, { email: 'nobody@example.com' }]) {
    expectError(await submit(saleBody({ transactionId, customer })), 404, 'customer_not_found');
  }
  expectSuccess(await submit(saleBody({ transactionId })));
});

test('404 store_not_found', async () => {
  expectError(await submit(saleBody({ storeCode: 'EAST' }), scene.merchant.key), 404, 'store_not_found');
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
