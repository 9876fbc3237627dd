/**
 * Invalid values for every field of vouchers, points, sales, QR ordering and stock-outs: 400 that names the field, also
 * the second time.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '@/server/rest/endpoints';
import { badValues, type FieldKind } from '../bad-values';
import { expectEachInvalid, expectError, expectTwiceInvalid, stateOf } from '../expectations';
import { ledgerViolations, restApi } from '../harness';
import { type Call, keyOf, performCall, withOwnRules } from '../operations';
import { createOrderingStage, type OrderingStage, orderingOperations } from '../ordering-operations';
import { inputOf, procedures } from '../procedures';

const api = restApi();
let stage: OrderingStage;

beforeAll(async () => {
  stage = await createOrderingStage(api);
});

type Kind =
  | FieldKind
  | 'textOrNull'
  | 'listOrNull'
  | 'amount'
  | 'rate'
  | 'signed'
  | 'quantity'
  | 'signedQuantity'
  | 'count';
type Fields = Record<string, Kind>;

const without = (values: string[], ...taken: string[]) => values.filter((raw) => !taken.includes(raw));
/** In addition to the kinds of every operation: sums that may be zero or negative, quantities, small counts. */
const values: Record<Kind, string[]> = {
  ...badValues,
  textOrNull: without(badValues.text, 'null'),
  listOrNull: without(badValues.list, 'null'),
  amount: without(badValues.money, '0', '-0'),
  signed: without(badValues.money, '0', '-0', '-1', '-100'),
  rate: [...without(badValues.money, '0', '-0', '1.5', '0.1'), '100.001', '0.0001'],
  count: without(badValues.money, '0', '-0').concat('0', '1e9'),
  quantity: [...without(badValues.money, '1.5', '0.1'), '0.0001', '1.0001', '100000.001', '0.00049', '1e-10'],
  // A quantity below zero with an amount above it is told of the amount.
  signedQuantity: [...without(badValues.money, '1.5', '0.1', '-1', '-100'), '0.0001', '1.0001', '-100000.001'],
};

const customer: Fields = {
  customer: 'object',
  'customer.customerId': 'format',
  'customer.phone': 'text',
  'customer.email': 'format',
};
/** The fields that writes share, where the operation has them. */
const common: Fields = {
  transactionId: 'id',
  storeCode: 'text',
  billId: 'text',
  staffId: 'text',
  receiptNumber: 'text',
  occurredAt: 'format',
};

const endpoint: Fields = {
  url: 'format',
  description: 'textOrEmpty',
  eventTypes: 'listOrNull',
  'eventTypes.0': 'format',
};

const ownFields: Record<string, Fields> = {
  beginSettling: { minutes: 'amount' },
  closeBill: { expectedDue: 'amount' },
  createWebhookEndpoint: endpoint,
  updateWebhookEndpoint: { ...endpoint, state: 'format' },
  rotateWebhookSecret: {},
  testWebhookEndpoint: {},
  deleteWebhookEndpoint: {},
  reopenBill: { closedAt: 'format', reason: 'text' },
  putBill: {
    openedAt: 'format',
    revision: 'money',
    table: 'text',
    guests: 'count',
    currency: 'text',
    lines: 'optionalList',
    'lines.0': 'object',
    'lines.0.plu': 'text',
    'lines.0.name': 'text',
    'lines.0.quantity': 'signedQuantity',
    'lines.0.unitPrice': 'amount',
    'lines.0.amount': 'amount',
    subtotal: 'amount',
    discount: 'amount',
    serviceCharge: 'amount',
    tax: 'amount',
    taxIncluded: 'optionalList',
    'taxIncluded.0': 'object',
    'taxIncluded.0.rate': 'rate',
    'taxIncluded.0.amount': 'amount',
    rounding: 'signed',
    total: 'amount',
    discountTransactionIds: 'optionalList',
    'discountTransactionIds.0': 'id',
    paidAtTill: 'optionalList',
    'paidAtTill.0': 'object',
    'paidAtTill.0.amount': 'money',
    'paidAtTill.0.lines': 'optionalList',
    'paidAtTill.0.lines.0': 'object',
    'paidAtTill.0.lines.0.plu': 'text',
    'paidAtTill.0.lines.0.quantity': 'quantity',
  },
  voidBill: { reason: 'text' },
  releaseBillPayment: {},
  refundBillPayment: { returned: 'money', keepPoints: 'flag', reason: 'text' },
  forgetPin: customer,
  generateQrCode: { table: 'text', guests: 'count', expiresInMinutes: 'count' },
  invalidateQrCode: { qrCodeId: 'format' },
  redeemPoints: { ...customer, points: 'money', pin: 'format' },
  redeemVoucher: {
    ...customer,
    voucherCode: 'text',
    pin: 'format',
    dryRun: 'flag',
    bill: 'object',
    'bill.amount': 'money',
    'bill.lines': 'optionalList',
    'bill.lines.0': 'object',
    'bill.lines.0.plu': 'text',
    'bill.lines.0.quantity': 'signedQuantity',
    'bill.lines.0.unitPrice': 'amount',
  },
  placeSandboxOrder: {
    table: 'text',
    lines: 'list',
    'lines.0': 'object',
    'lines.0.plu': 'text',
    'lines.0.quantity': 'count',
    guestName: 'text',
    note: 'text',
  },
  restoreStock: { plus: 'list', 'plus.0': 'text' },
  setOrderStatus: { status: 'format' },
  stockOut: { plus: 'list', 'plus.0': 'text', until: 'formatOrNull' },
  submitSale: {
    ...customer,
    lines: 'list',
    'lines.0': 'object',
    'lines.0.plu': 'text',
    'lines.0.name': 'text',
    'lines.0.quantity': 'signedQuantity',
    'lines.0.unitPrice': 'amount',
    'lines.0.amount': 'amount',
    subtotal: 'amount',
    discount: 'amount',
    serviceCharge: 'amount',
    tax: 'amount',
    taxIncluded: 'optionalList',
    'taxIncluded.0': 'object',
    'taxIncluded.0.rate': 'rate',
    'taxIncluded.0.amount': 'amount',
    rounding: 'signed',
    total: 'amount',
    payments: 'optionalList',
    'payments.0': 'object',
    'payments.0.method': 'text',
    'payments.0.amount': 'amount',
    ifCustomerUnknown: 'format',
    closesBill: 'flag',
    expectedDue: 'amount',
    closedAt: 'format',
  },
  updateCustomer: {
    givenName: 'text',
    lastName: 'textOrEmpty',
    phone: 'textOrNull',
    email: 'formatOrNull',
    birthday: 'formatOrNull',
    tags: 'optionalList',
    'tags.0': 'text',
    pin: 'format',
  },
};

/** Fields of the address: the body must not have them. */
const isInPath = (operation: string, name: string) =>
  endpoints.find((one) => one.operation === operation)?.segments.includes(`{${name}}`) === true;

const fieldsOf: Record<string, Fields> = Object.fromEntries(
  Object.entries(ownFields).map(([operation, own]) => {
    const has = Object.keys(inputOf(operation).shape);
    return [
      operation,
      {
        ...Object.fromEntries(
          Object.entries(common).filter(([name]) => has.includes(name) && !isInPath(operation, name)),
        ),
        ...own,
      },
    ];
  }),
);

const mark = '@mark@';

/** Returns `value` with the mark at `path`, creating missing parents. A customer is then named by that field alone. */
function marked(value: unknown, [step, ...rest]: string[]): unknown {
  if (step === undefined) return mark;
  if (step === '0') return [marked(Array.isArray(value) ? value[0] : undefined, rest)];
  const object = (value ?? {}) as Record<string, unknown>;
  if (step === 'customer' && rest.length > 0) return { ...object, customer: marked({}, rest) };
  return { ...object, [step]: marked(object[step], rest) };
}
const withRaw = (body: unknown, path: string, raw: string) =>
  JSON.stringify(marked(body, path.split('.'))).replace(`"${mark}"`, () => raw);

const headersOf = (call: Call) => ({ 'content-type': 'application/json', 'x-api-key': keyOf(call, stage.key) });

async function callOf(operation: string) {
  const call = await orderingOperations[operation]?.(api, stage);
  if (!call) throw new Error(`there is no operation ${operation}`);
  return { ...call, body: call.body ?? {} };
}

describe.each(Object.entries(fieldsOf))('%s', (operation, fields) => {
  test('the table has all of its fields', () => {
    const top = Object.keys(fields).filter((path) => !path.includes('.'));
    const inBody = Object.keys(inputOf(operation).shape).filter((name) => !isInPath(operation, name));
    expect(top.sort()).toEqual(inBody.sort());
  });

  test.each(Object.entries(fields))('%s', async (field, kind) => {
    const call = await callOf(operation);
    const { method, path, body } = call;
    const before = await stateOf(api, stage.merchant.id);
    const inits = values[kind].map((raw) => ({ method, headers: headersOf(call), body: withRaw(body, field, raw) }));
    await expectEachInvalid(api, path, inits, field);
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
  });

  test('missing required fields are all named at once', async () => {
    const call = await callOf(operation);
    const answer = await performCall(api, stage.key, { ...call, body: {} });
    const shape = Object.entries(inputOf(operation).shape).filter(([name]) => !isInPath(operation, name));
    const required = shape.filter(([, schema]) => !schema.isOptional()).map(([name]) => name);
    const expected = operation === 'invalidateQrCode' ? [''] : required;
    if (expected.length === 0) return expect(answer.status, answer.text).toBe(200);
    const { issues } = expectError(answer, 400, 'invalid_request');
    expect(issues.map((issue: { path: string }) => issue.path)).toEqual(expected);
  });

  test('a misspelt field is named, at the top level and nested', async () => {
    const call = await callOf(operation);
    const { method, path, body } = call;
    const within = Object.keys(fields).filter((field) => fields[field] === 'object');
    for (const place of ['', ...within.map((field) => `${field}.`)]) {
      for (const name of ['ammount', 'constructor', 'toString']) {
        const init = { method, headers: headersOf(call), body: withRaw(body, `${place}${name}`, '1') };
        await expectTwiceInvalid(api, path, init, `${place}${name}`);
      }
    }
  });
});

test('the table has every operation with a body', () => {
  const posts = procedures.filter(({ meta }) => meta.openapi?.method !== 'GET');
  const ids = posts.map(({ meta }) => meta.openapi?.operationId ?? '').filter((id) => withOwnRules.includes(id));
  expect(Object.keys(fieldsOf).sort()).toEqual(ids.sort());
});

describe('size limits', () => {
  const many = (count: number, make: (i: number) => unknown) =>
    JSON.stringify(Array.from({ length: count }, (_, i) => make(i)));
  const line = { plu: 'N001', quantity: 1, unitPrice: 1 };
  const cases: [string, string, string][] = [
    ['redeemVoucher', 'bill.lines', many(501, () => line)],
    ['submitSale', 'lines', many(501, () => ({ ...line, name: 'Laksa', amount: 1 }))],
    ['putBill', 'lines', many(501, () => ({ ...line, name: 'Laksa', amount: 1 }))],
    ['putBill', 'discountTransactionIds', many(101, (n) => `t-${n}`)],
    ['putBill', 'taxIncluded', many(21, () => ({ amount: 0 }))],
    ['putBill', 'paidAtTill', many(201, () => ({ amount: 1 }))],
    ['submitSale', 'payments', many(51, () => ({ method: 'cash', amount: 0 }))],
    ['stockOut', 'plus', many(501, (i) => `P${i}`)],
    ['restoreStock', 'plus', many(501, () => 'P')],
    ['putBill', 'guests', '1000'],
    ['generateQrCode', 'guests', '1000'],
    ['generateQrCode', 'expiresInMinutes', '1441'],
    ['redeemPoints', 'points', '1000000001'],
  ];
  test.each(cases)('%s: no more of %s', async (operation, field, raw) => {
    const call = await callOf(operation);
    const { method, path, body } = call;
    await expectTwiceInvalid(api, path, { method, headers: headersOf(call), body: withRaw(body, field, raw) }, field);
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
