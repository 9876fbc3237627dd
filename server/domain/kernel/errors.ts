import { inEnglish } from './in-english';
import { type Sentence, say } from './say';

/**
 * The kinds of refusals. A code is stable and public. Its kind says what is wrong: `invalid`: the request itself.
 * `unauthenticated`, `forbidden`: the key. `refused`: the current state. `missing`: the merchant has no such thing.
 * `moved`: another cell has it. `throttled`, `unavailable`: try again later.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'refused'
  | 'forbidden'
  | 'missing'
  | 'moved'
  | 'throttled'
  | 'unavailable';

/** Each code's kind, and what it means to an integrator. The OpenAPI document uses these sentences. */
export const errorCatalog = {
  invalid_request: ['invalid', 'The request is malformed; `issues` names each bad field.'],
  pin_required: ['invalid', 'The merchant requires a PIN for redemption and the request has none.'],
  bill_lines_required: ['invalid', 'The voucher is for items and the request has no `bill.lines`.'],
  totals_mismatch: ['invalid', 'The sums of the bill do not add up; `issues` says which.'],
  invalid_api_key: [
    'unauthenticated',
    'The `x-api-key` is missing, unknown, revoked, expired or of the other environment; for the last, `message` says so.',
  ],
  signed_out: ['unauthenticated', 'The session has ended.'],
  confirmation_required: ['forbidden', 'The person has to prove again who they are, and then repeat the request.'],
  second_person_required: ['forbidden', 'Another person with the right role has to do this.'],
  second_factor_required: ['forbidden', 'The person has to set up a second factor first.'],
  store_forbidden: ['forbidden', 'The key is bound to another store.'],
  scope_missing: [
    'forbidden',
    'The scope of the key does not include this operation; `details.scope` names the one it needs.',
  ],
  network_not_allowed: ['forbidden', 'The key does not work from the network of the caller.'],
  sandbox_only: ['forbidden', 'Only a sandbox does this.'],
  role_forbidden: ['forbidden', 'The role of the person does not allow this.'],
  endpoint_not_found: ['missing', 'There is no such endpoint or method.'],
  merchant_not_found: ['missing', 'There is no such merchant.'],
  merchant_moved: [
    'moved',
    'Another server has the merchant now. Follow the redirect, or call `details.baseUrl` instead.',
  ],
  store_not_found: ['missing', 'The merchant has no store with this `storeCode`.'],
  customer_not_found: ['missing', 'The merchant has no such customer.'],
  note_not_found: ['missing', 'The merchant has no such note.'],
  import_not_found: ['missing', 'The merchant has no such import.'],
  package_not_found: ['missing', 'The merchant has no such stored-value package.'],
  top_up_request_not_found: ['missing', 'The merchant has no top-up request with this `counterCode`.'],
  campaign_not_found: ['missing', 'The merchant has no such voucher campaign.'],
  voucher_not_found: ['missing', 'The customer has no such voucher.'],
  qr_code_not_found: ['missing', 'The store has no such QR code.'],
  table_not_found: ['missing', 'The store has no such table.'],
  menu_entry_not_found: ['missing', 'The menu has no such category, item, option group or photo.'],
  api_key_not_found: ['missing', 'The merchant has no such API key.'],
  webhook_endpoint_not_found: ['missing', 'The merchant has no such webhook endpoint.'],
  webhook_delivery_not_found: ['missing', 'The endpoint has no such delivery.'],
  order_not_found: ['missing', 'The store has no such order.'],
  staff_not_found: ['missing', 'No member of staff has this id.'],
  invitation_not_found: ['missing', 'The merchant has no such open invitation.'],
  link_not_found: ['missing', 'The link is unknown, used or too old.'],
  event_not_found: ['missing', 'No event has this id, or it is older than 30 days.'],
  table_call_not_found: ['missing', 'No table has such a call.'],
  bill_not_found: ['missing', 'The store has no such bill.'],
  bill_payment_not_found: ['missing', 'The bill has no such payment, or it was not paid.'],
  transaction_not_found: ['missing', 'The store has no transaction with this `transactionId`.'],
  transaction_id_conflict: ['refused', 'The `transactionId` was used before, for another operation or body.'],
  transaction_voided: ['refused', 'The `transactionId` was voided and can never be used again.'],
  customer_exists: [
    'refused',
    'Another customer has this phone number or e-mail address; `details.customerId` says who, `details.field` which, and ' +
      '`details.matches` both if two customers have them.',
  ],
  pin_not_set: ['refused', 'The customer has not set a PIN yet.'],
  pin_invalid: ['refused', 'The PIN is wrong; `details.attemptsLeft` tries are left before it locks.'],
  pin_locked: ['refused', 'Too many wrong PINs; `details.retryAfterSeconds` says when to try again.'],
  customer_blocked: ['refused', 'The merchant has blocked the customer: no top-up and no redemption.'],
  insufficient_balance: ['refused', 'The stored-value balance is lower than the requested amount.'],
  package_unavailable: ['refused', 'The package is not on offer at this store now.'],
  counter_code_mismatch: [
    'refused',
    'The top-up request is of another customer, package or amount; `details.field` says which.',
  ],
  top_up_request_closed: [
    'refused',
    'The top-up request is closed; `details.state` is `credited`, `voided`, `cancelled` or `expired`.',
  ],
  counter_code_open: ['refused', 'The customer has an open code for a top-up at the counter.'],
  card_payment_unavailable: ['refused', "The amount can't be paid by card here. It can be paid at a counter."],
  balance_limit_exceeded: ['refused', 'The top-up would lift the balance over the limit.'],
  limit_exceeded: [
    'refused',
    "The merchant's limit of what a sale, a customer's day or a key's day may give; `details.limit` says which.",
  ],
  voucher_redeemed: ['refused', 'The voucher was already used.'],
  voucher_expired: ['refused', 'The voucher has expired.'],
  voucher_not_applicable: [
    'refused',
    'The voucher gives no discount on this bill: wrong items, wrong store, or not valid yet.',
  ],
  minimum_spend_not_met: ['refused', "The bill is below the voucher's minimum spend."],
  voucher_not_stackable: ['refused', "The voucher can't be combined with another one on the same bill."],
  campaign_not_running: ['refused', 'The voucher campaign is paused, archived or over: nothing is issued.'],
  voucher_limit_reached: ['refused', 'As many of these vouchers as the campaign allows were issued.'],
  points_owed: [
    'refused',
    'The customer owes `details.owed` points after a voided sale, and the merchant refuses redemptions until they are earned back.',
  ],
  insufficient_points: ['refused', 'The customer has fewer points than requested.'],
  minimum_points_not_met: ['refused', "Fewer points than the merchant's minimum for a redemption."],
  code_invalid: ['refused', 'The one-time code is wrong; `details.attemptsLeft` tries are left before it ends.'],
  code_expired: ['refused', 'The one-time code was used, is too old, or has no tries left.'],
  code_required: ['refused', 'The diner has to prove anew to hold the phone: with a fresh one-time code.'],
  no_phone: ['refused', 'The customer has no phone number to send the PIN to.'],
  pin_reset_too_often: [
    'refused',
    'Three PINs an hour are sent at the most; `details.retryAfterSeconds` says when to try again.',
  ],
  order_status_refused: ['refused', "The order can't change from its status to the requested one."],
  table_calls_off: ['refused', 'The merchant takes no calls from tables.'],
  qr_code_closed: ['refused', 'The bill is settled: no order is taken.'],
  bill_revision_outdated: [
    'refused',
    'The bill has a later revision already; `details.revision` is the one it has. Nothing was changed.',
  ],
  bill_revision_reused: ['refused', 'The bill has this revision already, with other content. Nothing was changed.'],
  bill_closed: ['refused', 'The bill is closed or void; `details.state` says which.'],
  bill_changed: [
    'refused',
    'Another sum is due than `expectedDue`; `details` has the figures, and when the bill was opened. Nothing was done: the same `transactionId` can be sent again.',
  ],
  bill_settling: ['refused', 'The till takes money for the bill: phones change nothing meanwhile.'],
  bill_paid: [
    'refused',
    'Something was redeemed or paid on the bill: void `details.transactionIds` and refund `details.paymentIds` first.',
  ],
  bill_due_exceeded: [
    'refused',
    'The bill needs less than would be redeemed; `details.due` is what is due, and `details.held` what diners are paying now.',
  ],
  offer_changed: ['refused', 'The discount is no longer what the phone showed: nothing was redeemed.'],
  not_offered: ['refused', 'The merchant does not offer this to diners on their phones.'],
  bill_payment_over: ['refused', 'The payment was cancelled, ran out of time, or is done. Begin another one.'],
  card_ordering_off: ['refused', "Guests of the merchant can't open a bill themselves."],
  items_unavailable: ['refused', 'Items are sold out or not on the menu; `details.plus` names them.'],
  options_changed: ['refused', 'Options are no longer offered for their item; `details.lines` says on which lines.'],
  prices_changed: ['refused', 'Prices are not those that were shown; `details.lines` says what they are now.'],
  currency_fixed: ['refused', "Amounts in the currency exist, so it can't be changed."],
  events_not_recorded: [
    'refused',
    'The merchant does not record the events of `details.types`. Name others in `types`, or ask an owner to record them: in ' +
      'the back office, under Webhooks.',
  ],
  store_in_use: ['refused', 'The store has active QR codes: it can close once their bills are settled.'],
  api_key_ended: ['refused', 'The API key was revoked or replaced already.'],
  webhook_endpoint_off: ['refused', 'The webhook endpoint is paused or disabled.'],
  works_elsewhere: ['refused', 'The person also works for another business, so nobody of one of them can do this.'],
  last_owner: ['refused', "A business needs an owner: its last owner can't be removed or demoted."],
  void_refused: [
    'refused',
    'Nothing was voided; `details.blocking` names the top-ups in the way (`code` is `top_up_spent`) and what spent their ' +
      'value (`spentBy`, the newest 20 at most), and the top-ups of a customer whom staff have merged into another ' +
      'since (`code` is `customer_merged`).',
  ],
  refund_refused: ['refused', 'A part of this transaction cannot be refunded: nothing was refunded.'],
  merge_final: ['refused', 'The merge is too old to be undone, or what it moved was used.'],
  export_in_progress: ['refused', 'The business is being exported already.'],
  edited_meanwhile: ['refused', 'It was changed after it was opened: nothing was saved.'],
  void_changed: ['refused', 'Voiding would do other than what its preview showed: nothing was voided.'],
  too_many_attempts: ['throttled', 'Too many attempts; `details.retryAfterSeconds` says when to try again.'],
  rate_limited: ['throttled', 'Too many requests; `Retry-After` says when to go on.'],
  service_unavailable: [
    'unavailable',
    'The service is unavailable, or could not respond in time. Send the same request again.',
  ],
} as const satisfies Record<string, readonly [ErrorKind, string]>;

export type ErrorCode = keyof typeof errorCatalog;

export interface Issue {
  path: string;
  sentence: Sentence;
}

/** A refusal that the caller can act on. A cashier reads its sentence, which never holds a secret. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly sentence: Sentence,
    readonly details: Record<string, unknown> = {},
    readonly issues: Issue[] = [],
  ) {
    super(inEnglish(sentence));
    this.name = 'DomainError';
  }

  get kind(): ErrorKind {
    return errorCatalog[this.code][0];
  }
}

/**
 * Refusals because of the PIN, of a reused id, of another resource, or of figures to read again. They are no outcome of a `transactionId`, which
 * may be sent again. Any other refusal is its outcome for good.
 */
const passing = new Set<ErrorCode>([
  'pin_not_set',
  'pin_invalid',
  'pin_locked',
  'transaction_id_conflict',
  'transaction_voided',
  'void_refused',
  'bill_changed',
  'bill_settling',
]);

export function isOutcome(error: unknown): error is DomainError {
  return error instanceof DomainError && error.kind === 'refused' && !passing.has(error.code);
}

/** An `invalid_request` about one field, or about the whole request if `path` is empty. */
export function invalid(path: string, problem: Sentence, details: Record<string, unknown> = {}): DomainError {
  const sentence = path === '' ? say('requestNotValid', { problem }) : say('fieldNotValid', { path, problem });
  return new DomainError('invalid_request', sentence, details, [{ path, sentence: problem }]);
}
