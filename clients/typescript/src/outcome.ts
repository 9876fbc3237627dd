/** The two other ways to settle a transaction whose outcome is unknown: look it up, or void it. */
import type { LoyaltyClient } from './client.js';
import type { ApiErrorBody, paths, TransactionOutcome } from './schema.js';

/** The service refused a request. `message` can be shown to the cashier. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly error: ApiErrorBody,
  ) {
    super(error.message);
    this.name = 'RefusedError';
  }
}

/** A merchant-wide key names the store. */
interface AtStore {
  storeCode?: string;
}

/**
 * Looks up a transaction. Null: it was not executed. That is certain only if no copy of the request can still be on its way to
 * the service; otherwise send it again, or give it up.
 * Errors: `UnknownOutcomeError`, `RefusedError`.
 */
export async function lookUp(
  client: LoyaltyClient,
  transactionId: string,
  { storeCode }: AtStore = {},
): Promise<TransactionOutcome | null> {
  const { data, error, response } = await client.GET('/transactions/{transactionId}', {
    params: { path: { transactionId }, query: { storeCode } },
  });
  if (data) return data;
  if (error?.error.code === 'transaction_not_found') return null;
  throw refused(response, error);
}

type VoidResults = paths['/transactions/void']['post']['responses'][200]['content']['application/json']['results'];

/**
 * Voids transactions, executed or not, all or none. From then on, the service refuses a late copy of their requests.
 * Errors: `UnknownOutcomeError` (call it again); `RefusedError`, with code `void_refused` if the value of a top-up was spent.
 */
export async function giveUp(
  client: LoyaltyClient,
  transactionIds: string[],
  { storeCode }: AtStore = {},
): Promise<VoidResults> {
  const { data, error, response } = await client.POST('/transactions/void', { body: { transactionIds, storeCode } });
  if (data) return data.results;
  throw refused(response, error);
}

const refused = ({ status }: Response, error: { error: ApiErrorBody } | undefined) =>
  new RefusedError(status, error?.error as ApiErrorBody);
