/** Expectations of every response: the envelope of an error, and that the reference lists its code. */
import { expect, test } from 'vitest';
import { endpoints } from '@/server/rest/endpoints';
import { openApiDocument } from '@/server/rest/openapi';
import type { Answer, Api } from './harness';

interface Reference {
  responses: Record<string, { 'x-error-codes'?: string[] }>;
}

type Paths = Record<string, Record<string, Reference>>;
const paths = openApiDocument('http://reference.invalid').paths as Paths;

/** The codes that the OpenAPI document lists for an operation, with their status. */
export function documentedErrors(operation: string): Map<string, number> {
  const endpoint = endpoints.find((candidate) => candidate.operation === operation);
  if (!endpoint) throw new Error(`there is no operation ${operation}`);
  const documented = paths[`/${endpoint.segments.join('/')}`]?.[endpoint.method.toLowerCase()];
  const listed = Object.entries(documented?.responses ?? {}).flatMap(([status, { 'x-error-codes': codes = [] }]) =>
    codes.map((code): [string, number] => [code, Number(status)]),
  );
  return new Map(listed);
}

/** Every error has the same shape, with a request id for support. */
export function expectEnvelope(answer: Answer): void {
  const { body, headers } = answer;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toEqual({
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/\S/),
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    details: expect.any(Object),
    issues: expect.any(Array),
  });
  expect(headers.get('x-request-id')).toBe(body.error.requestId);
  expect(body.error.issues.length > 0).toBe(answer.status === 400);
}

export function expectError(answer: Answer, status: number, code: string) {
  expect({ status: answer.status, code: answer.body?.error?.code }, answer.text).toEqual({ status, code });
  expectEnvelope(answer);
  return answer.body.error;
}

/** `faults.test.ts`, `rate-limit.test.ts`, `scopes.test.ts` and `moved.test.ts` see to these, for every operation. */
const ofEveryOperation = [
  ...['internal_error', 'service_unavailable', 'rate_limited', 'scope_missing', 'network_not_allowed'],
  'merchant_moved',
];

/**
 * The expectations of one operation's suite: errors must be in the reference, and at its end `coversReference` finds
 * what the reference lists and no test has seen; `elsewhere` names what another file sees to.
 */
export function operationSuite(operation: string, { elsewhere = [] }: { elsewhere?: string[] } = {}) {
  const documented = documentedErrors(operation);
  const seen = new Set<string>();
  return {
    expectError(answer: Answer, status: number, code: string) {
      const error = expectError(answer, status, code);
      expect(documented.get(code), `${code} in the reference of ${operation}`).toBe(status);
      seen.add(code);
      return error;
    },
    expectSuccess(answer: Answer) {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      seen.add('success');
      return answer.body;
    },
    coversReference() {
      test('every status and code of the reference is tested here', () => {
        const expected = ['success', ...documented.keys()].filter(
          (code) => ![...ofEveryOperation, ...elsewhere].includes(code),
        );
        expect(expected.filter((code) => !seen.has(code))).toEqual([]);
      });
    },
  };
}

/** The text of a response without its request id. */
export const withoutRequestId = ({ text }: Answer) => text.replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":""');

/** Sends a request whose field is invalid. Returns the response, which names the field. */
async function expectInvalid(api: Api, path: string, init: RequestInit, field: string): Promise<Answer> {
  const answer = await api.send(path, init);
  const { issues } = expectError(answer, 400, 'invalid_request');
  expect(
    issues
      .map((issue: { path: string }) => issue.path)
      .filter((name: string) => name === field || name.startsWith(`${field}.`)),
    `${path} ${String(init.body).slice(0, 300)}`,
  ).not.toEqual([]);
  return answer;
}

/** Sends twice: a schema that started to coerce after the first request would show in the second. */
export async function expectTwiceInvalid(api: Api, path: string, init: RequestInit, field: string) {
  await expectEachInvalid(api, path, [init], field);
}

/** Sends each request, and finally the first one again: a schema that started to coerce would show. */
export async function expectEachInvalid(api: Api, path: string, inits: RequestInit[], field: string) {
  let first: Answer | undefined;
  for (const init of inits) {
    const answer = await expectInvalid(api, path, init, field);
    first ??= answer;
  }
  if (!first || !inits[0]) throw new Error(`there is no invalid value of ${field}`);
  const again = await api.send(path, inits[0]);
  expect(again.status).toBe(400);
  expect(withoutRequestId(again), `${path} ${String(inits[0].body).slice(0, 300)}`).toBe(withoutRequestId(first));
}

const tables = [
  'customers',
  'balances',
  'customer_pins',
  'transactions',
  'lots',
  'ledger_entries',
  'voids',
  'audit_log',
  'stored_value_packages',
  'stores',
  'api_keys',
  'vouchers',
  'voucher_campaigns',
  'voucher_counts',
  'sales',
  'qr_codes',
  'dining_tables',
  'orders',
  'table_calls',
  'bills',
  'bill_payments',
  'stock_outs',
  'messages',
  'top_up_requests',
];

/** A digest of every row of a merchant: equal before and after what must change nothing. */
export async function stateOf(api: Api, merchantId: string): Promise<Record<string, string>> {
  const digests = tables.map(
    (table) => `select '${table}' as name, md5(coalesce(string_agg(r::text, ',' order by r::text), '')) as digest
      from ${table} r where merchant_id = '${merchantId}'`,
  );
  const rows = await api.owner.unsafe(digests.join(' union all '));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
