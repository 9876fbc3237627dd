/** The shapes of errors in the OpenAPI document, and what `details` and `issues` hold for each code. */
import { type ErrorCode, errorCatalog } from '@/server/domain/kernel/errors';

const integer = (description: string) => ({ type: 'integer', minimum: 0, description });
const string = (description: string) => ({ type: 'string', description });
const time = (description: string) => ({ type: 'string', format: 'date-time', description });

const spender = {
  type: 'object',
  required: ['transactionId', 'type', 'storeCode'],
  properties: {
    transactionId: { type: ['string', 'null'], description: 'Null for an adjustment by staff.' },
    type: string('The type of the transaction, or `adjustment`.'),
    storeCode: { type: ['string', 'null'], description: 'Null for an adjustment by staff.' },
  },
};

const blocker = {
  type: 'object',
  required: ['transactionId', 'code', 'spentBy'],
  properties: {
    transactionId: string('The transaction that cannot be voided.'),
    code: { type: 'string', description: 'Why: `top_up_spent` or `customer_merged`.' },
    spentBy: { type: 'array', description: 'What spent the value, newest first, 20 at most.', items: spender },
  },
};

/** Every field that `details` can have. All codes share one schema, so that a client in any language has one type. */
const detailFields = {
  address: string('The network address that the service sees.'),
  amount: integer('The price of the package in minor units, if the `amount` of the top-up differs from it.'),
  attemptsLeft: integer('Tries left before the PIN is locked.'),
  balance: integer('The current balance: minor units, or points.'),
  baseUrl: string('The address to call from now on, instead of the one that ends with `/api/v1`.'),
  billAmount: integer('The amount of the bill in minor units.'),
  blocking: { type: 'array', description: 'The transactions that cannot be voided.', items: blocker },
  credited: integer('What the top-up would have credited, in minor units.'),
  customerId: {
    type: 'string',
    format: 'uuid',
    description: 'The customer that has the phone number or e-mail address.',
  },
  openedAt: time('When the bill was opened.'),
  owed: integer('Points that the customer owes.'),
  due: integer('What is due on the bill, in minor units.'),
  expectedDue: integer('The `expectedDue` of the request.'),
  expectedTotal: {
    ...integer('The `total` that the other sums give, in minor units.'),
    minimum: -Number.MAX_SAFE_INTEGER,
  },
  expiredAt: time('When the voucher expired.'),
  field: string(
    'With `customer_exists`, what another customer has: `phone` or `email`. With `counter_code_mismatch`, what differs from the top-up on the phone: `customer`, `packageId` or `amount`.',
  ),
  held: integer('What diners are paying on the bill now, in minor units.'),
  limit: {
    type: ['string', 'integer'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'With `limit_exceeded`, the name of the limit. With `balance_limit_exceeded`, the limit in minor units.',
  },
  matches: {
    type: 'array',
    description: 'The customers that have the phone number and the e-mail address: one or two.',
    items: {
      type: 'object',
      required: ['field', 'customerId'],
      properties: {
        field: { type: 'string', description: '`phone` or `email`.' },
        customerId: { type: 'string', format: 'uuid' },
      },
    },
  },
  maxAmount: integer('The maximum of an open package in minor units.'),
  maxBytes: integer('The largest body that the service reads, in bytes.'),
  maximum: integer('The value of the limit: minor units, or points.'),
  minAmount: integer('The minimum of an open package in minor units.'),
  minRedeemPoints: integer('The minimum points of a redemption.'),
  minSpend: integer('The minimum spend of the voucher in minor units.'),
  paid: integer('The sum of `payments`, or what diners paid on the bill, in minor units.'),
  plus: {
    type: 'array',
    description: 'The items that the voucher is for, or that are sold out.',
    items: { type: 'string' },
  },
  redeemed: integer('What was redeemed on the bill, in minor units.'),
  requested: {
    type: ['integer', 'string'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'What was requested: minor units, points, or a revision. With `order_status_refused`, the order status.',
  },
  retryAfterSeconds: integer('Seconds to wait before the next attempt.'),
  revision: integer('The revision that the bill has.'),
  scope: string(
    'The scope that the operation needs: `ordering`, `bills`, `loyalty`, `all` of these three, or `webhooks`.',
  ),
  state: string(
    'The state of the top-up: `credited`, `voided`, `cancelled` or `expired`. Of a bill: `closed` or `void`.',
  ),
  status: string('The current status of the order, or of the transaction that has the id.'),
  transactionIds: { type: 'array', description: 'The redemptions on the bill.', items: { type: 'string' } },
  paymentIds: { type: 'array', description: 'The card payments on the bill.', items: { type: 'string' } },
  type: { type: ['string', 'null'], description: 'The type of the transaction that has the id.' },
  types: { type: 'array', description: 'The types of events that are not recorded.', items: { type: 'string' } },
  used: integer('What the day has given so far: minor units, or points.'),
};

interface DetailsOfCode {
  /** Example details. Each field is always there, unless it is in `optional`. */
  example: { [Field in keyof typeof detailFields]?: unknown };
  /** Fields that are not always present. */
  optional?: (keyof typeof detailFields)[];
}

/** What `details` contains, for each code that has any. */
export const errorDetails: { [Code in ErrorCode]?: DetailsOfCode } = {
  merchant_moved: { example: { baseUrl: 'https://loyalty.example.com/cells/sg2/api/v1' } },
  invalid_request: { example: {}, optional: ['amount', 'minAmount', 'maxAmount', 'maxBytes'] },
  totals_mismatch: { example: { expectedTotal: 1561, paid: 1560 }, optional: ['paid'] },
  scope_missing: { example: { scope: 'loyalty' } },
  network_not_allowed: { example: { address: '203.0.113.7' } },
  transaction_id_conflict: { example: { type: 'topUp', status: 'completed' } },
  customer_exists: {
    example: {
      customerId: '01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11',
      field: 'phone',
      matches: [
        { field: 'phone', customerId: '01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11' },
        { field: 'email', customerId: '01981f2e-7c1a-7f02-8a61-4d3b9c0e5f27' },
      ],
    },
  },
  items_unavailable: { example: { plus: ['N001'] } },
  pin_invalid: { example: { attemptsLeft: 3 } },
  points_owed: { example: { owed: 30 } },
  pin_locked: { example: { retryAfterSeconds: 840 } },
  pin_reset_too_often: { example: { retryAfterSeconds: 1800 } },
  insufficient_balance: { example: { balance: 1200, requested: 2000 } },
  insufficient_points: { example: { balance: 142, requested: 300 } },
  minimum_points_not_met: { example: { minRedeemPoints: 100, requested: 50 } },
  balance_limit_exceeded: { example: { limit: 100000, balance: 95000, credited: 12000 } },
  limit_exceeded: {
    example: { limit: 'customerDailyValue', maximum: 50000, used: 48000 },
    optional: ['used', 'requested'],
  },
  counter_code_mismatch: { example: { field: 'amount' } },
  top_up_request_closed: { example: { state: 'credited' } },
  voucher_expired: { example: { expiredAt: '2026-11-19T15:59:59.999Z' } },
  voucher_not_applicable: { example: { plus: ['N001', 'N002'] }, optional: ['plus'] },
  minimum_spend_not_met: { example: { minSpend: 2000, billAmount: 1780 } },
  bill_revision_outdated: { example: { revision: 4, requested: 3 } },
  bill_revision_reused: { example: { revision: 4, requested: 4 } },
  bill_closed: { example: { state: 'closed' } },
  bill_changed: {
    example: { expectedDue: 1000, due: 1900, held: 0, redeemed: 0, paid: 0, openedAt: '2026-11-20T11:58:03.000Z' },
  },
  bill_paid: { example: { paid: 0, transactionIds: ['T1-20261120-0051'], paymentIds: [] } },
  bill_due_exceeded: { example: { due: 1000, held: 0, requested: 1500 } },
  order_status_refused: { example: { status: 'served', requested: 'accepted' } },
  events_not_recorded: { example: { types: ['order.placed'] } },
  void_refused: {
    example: {
      blocking: [
        {
          transactionId: 'T1-20261120-0042',
          code: 'top_up_spent',
          spentBy: [{ transactionId: 'T1-20261120-0043', type: 'redeemStoredValue', storeCode: 'ORCHARD' }],
        },
      ],
    },
  },
  rate_limited: { example: { retryAfterSeconds: 1 } },
};

/** The meaning of a code and its details, as a line of a list. */
export function describeCode(code: ErrorCode): string {
  const { example = {}, optional = [] } = errorDetails[code] ?? {};
  const names = [...new Set([...Object.keys(example), ...optional])];
  const fields = names.map((name) => `\`${name}\`${(optional as string[]).includes(name) ? ' (optional)' : ''}`);
  const details = fields.length === 0 ? '' : ` Details: ${fields.join(', ')}.`;
  return `- \`${code}\`: ${errorCatalog[code][1]}${details}`;
}

const issueSchema = {
  type: 'object',
  required: ['path', 'message'],
  properties: {
    path: {
      type: 'string',
      description:
        'The field, such as `bill.lines.0.quantity`. Items count from 0. Empty if the issue is with the whole request.',
    },
    message: { type: 'string' },
  },
};

const stableCode = (note: string) => string(`Stable, so programs can rely on it. ${note}`);

const refusalFields = {
  code: stableCode('One of the 402 codes of the operation.'),
  message: string('Text for the cashier.'),
  details: { $ref: '#/components/schemas/ErrorDetails' },
  issues: {
    type: 'array',
    description:
      'With status 400, what is wrong with the request, at least one: with `invalid_request`, each bad field; with ' +
      '`pin_required` and `bill_lines_required`, the missing one; with `totals_mismatch`, each wrong sum. Empty for every ' +
      'other status.',
    items: { $ref: '#/components/schemas/Issue' },
  },
};

const objectOf = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });

export const errorSchemas = {
  ApiError: {
    ...objectOf({ error: { $ref: '#/components/schemas/ApiErrorBody' } }),
    description: 'The error response of every operation.',
  },
  ApiErrorBody: objectOf({
    ...refusalFields,
    code: stableCode('`x-error-codes` of the response lists the current codes.'),
    requestId: string('Same as the header `x-request-id`.'),
  }),
  Refusal: {
    ...objectOf({ error: { $ref: '#/components/schemas/RefusalBody' } }),
    description: 'The stored error of a refused transaction.',
  },
  RefusalBody: objectOf(refusalFields),
  ErrorDetails: {
    type: 'object',
    description:
      'Numbers and ids that the message refers to. Which fields there are depends on `code`: each response lists them for ' +
      'its codes. Empty for a code without any.',
    properties: detailFields,
  },
  Issue: issueSchema,
};
