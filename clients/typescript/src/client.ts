/** A typed client of the API. Every call follows the retry rule. */
import createFetchClient, { type Client } from 'openapi-fetch';
import { checkNumbers } from './amounts.js';
import { fetchWithRetries } from './retry.js';
import type { paths } from './schema.js';

export interface ClientOptions {
  /** Of the deployment, such as `https://sandbox.example.com`. */
  origin: string;
  apiKey: string;
  /**
   * A call without an outcome throws `UnknownOutcomeError` after about this long. It makes one attempt in any case.
   * Default: 30,000.
   */
  giveUpAfterMs?: number;
}

export type LoyaltyClient = Client<paths, 'application/json'>;

/**
 * Returns a client with `GET(path, …)`, `POST(path, …)`, `PUT(path, …)` and `PATCH(path, …)`. A call resolves with `data` (status 200) or `error`
 * (status 400 to 404). Without a response within 5 seconds, with status 429, 500 or 503, or with a response of something else (such as
 * the page of a hotspot), it sends the same request again.
 * Errors: `UnknownOutcomeError`; `AmountError` if a number of the body is not a whole one.
 */
export function createClient({ origin, apiKey, giveUpAfterMs = 30_000 }: ClientOptions): LoyaltyClient {
  return createFetchClient<paths, 'application/json'>({
    baseUrl: `${new URL(origin).origin}/api/v1`,
    headers: { 'x-api-key': apiKey },
    fetch: fetchWithRetries(giveUpAfterMs),
    bodySerializer: (body) => {
      checkNumbers(body);
      return JSON.stringify(body);
    },
  });
}
