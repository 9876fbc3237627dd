/**
 * What the queue does with each response: the first row that fits. The guide for tills that are offline has the same rows, so
 * that a till without this client does the same.
 */
import type { QueuedRequest } from './queued.js';
import type { ApiErrorBody } from './schema.js';

export type Step =
  | 'remove'
  | 'sendAgain'
  | 'follow'
  | 'stop'
  | 'sendWithoutCustomer'
  | 'sendWithoutCustomerAsNew'
  | 'sendWithoutExpectedDue'
  | 'hold';

interface Received {
  status: number;
  request?: QueuedRequest | undefined;
  error?: ApiErrorBody | undefined;
}

interface Row {
  response: string;
  till: string;
  step: Step;
  fits(received: Received): boolean;
}

const hasCode = ({ error }: Received, code: string) => error?.code === code;
const isOf = ({ request }: Received, field: 'customer' | 'expectedDue') =>
  request?.path === '/sales' && request.body[field] !== undefined;
const isCustomerUnknown = (received: Received) => {
  const issues = hasCode(received, 'invalid_request') ? (received.error?.issues ?? []) : [];
  const isAboutCustomer = ({ path }: { path: string }) => path === 'customer' || path.startsWith('customer.');
  return hasCode(received, 'customer_not_found') || (issues.length > 0 && issues.every(isAboutCustomer));
};

/** Clocks of tills may differ by that. */
const largestDifferenceMs = 5 * 60_000;
/** True if a sale can't be of an earlier bill with the number, whose time another clock says. */
const isOfThisBill = ({ request, error }: Received) =>
  request !== undefined &&
  new Date(request.body.occurredAt).getTime() >=
    new Date(String(error?.details.openedAt)).getTime() + largestDifferenceMs;

export const rows: Row[] = [
  {
    response: '200',
    till: 'removes the request. With `customerUnknown`, it shows a person that the sale has no customer',
    step: 'remove',
    fits: ({ status }) => status === 200,
  },
  {
    response: 'no response, 429, 500, 503',
    till: 'sends the same request again, after `Retry-After` ([Retries](retries.md))',
    step: 'sendAgain',
    fits: ({ status }) => status === 429 || status >= 500,
  },
  {
    response: '308',
    till: 'sends the same request to `Location`',
    step: 'follow',
    fits: ({ status }) => status === 308,
  },
  {
    response: '401, 403, or 404 `store_not_found`',
    till: 'keeps all requests, and shows a person that the key or the store is wrong',
    step: 'stop',
    fits: (received) => received.status === 401 || received.status === 403 || hasCode(received, 'store_not_found'),
  },
  {
    response: 'a sale gets 404 `customer_not_found`, or 400 with issues of `customer` alone',
    till: 'sends the sale without `customer` and with the same `transactionId`, and shows a person which one',
    step: 'sendWithoutCustomer',
    fits: (received) => isOf(received, 'customer') && isCustomerUnknown(received),
  },
  {
    response: 'a sale gets 402 `limit_exceeded`',
    till: 'sends the sale without `customer` and with a new `transactionId`: the old one has its outcome. Name the new one when you void it; voids that wait in the queue are sent with it',
    step: 'sendWithoutCustomerAsNew',
    fits: (received) => isOf(received, 'customer') && hasCode(received, 'limit_exceeded'),
  },
  {
    response: 'a sale gets 402 `bill_changed`, and happened at least five minutes after `details.openedAt`',
    till: 'sends it without `expectedDue` and with the same `transactionId`, and shows a person the bill’s figures',
    step: 'sendWithoutExpectedDue',
    fits: (received) => isOf(received, 'expectedDue') && hasCode(received, 'bill_changed') && isOfThisBill(received),
  },
  {
    response: 'a sale gets 402 `bill_changed` otherwise',
    till: 'sets the sale aside, and shows a person the bill’s figures: the sale may belong to the previous bill with this number, because clocks differ. If it is of this bill, it is sent without `expectedDue` and with the same `transactionId`',
    step: 'hold',
    fits: (received) => isOf(received, 'expectedDue') && hasCode(received, 'bill_changed'),
  },
  {
    response: 'another 400',
    till: 'sets the request aside, and shows a person the request and the `issues`. Once it is corrected, the same `transactionId` can be used',
    step: 'hold',
    fits: ({ status }) => status === 400,
  },
  {
    response: 'another 402 or 404',
    till: 'sets the request aside, and shows a person the request and the `message`, until someone has decided. A sale with status 402 that is to be sent again needs a new `transactionId` if a look-up says `refused`',
    step: 'hold',
    fits: () => true,
  },
];

/** Returns what to do with a response of the service. */
export const stepOf = (received: Received): Step => (rows.find((row) => row.fits(received)) as Row).step;
