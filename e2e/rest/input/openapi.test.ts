/** The document is its own first user: what it shows is what it allows. Answers are held against it in `harness.ts`. */
import { describe, expect, test } from 'vitest';
import { eventTypes } from '@/db/kinds/lists';
import type { ErrorCode } from '@/server/domain/kernel/errors';
import { parseVoucherCode } from '@/server/domain/kernel/voucher-code';
import { endpoints } from '@/server/rest/endpoints';
import { errorDetails } from '@/server/rest/error-schemas';
import { openApiDocument } from '@/server/rest/openapi';
import {
  type DocumentedOperation,
  documented,
  documentedSchemas,
  expectDocumented,
  type Media,
  operationOf,
  problemsOf,
} from '../document';
import { inputOf } from '../procedures';

const jsonOf = (content: Record<string, Media> | undefined) => {
  const media = content?.['application/json'];
  if (!media) throw new Error('there is no application/json');
  return media;
};

const examplesOf = ({ example, examples }: Media): unknown[] =>
  examples ? Object.values(examples).map(({ value }) => value) : [example];

test('every endpoint is documented, and no other', () => {
  const served = endpoints.map(({ method, segments, operation }) => `${method} /${segments.join('/')} ${operation}`);
  const told = documented.map(({ method, path, operation }) => `${method} ${path} ${operation.operationId}`);
  expect(told.sort()).toEqual(served.sort());
});

describe.each(documented)('$operation.operationId', ({ method, path, operation }) => {
  test('its example request is valid', () => {
    for (const { name, in: place, required, schema, example } of operation.parameters ?? []) {
      if (required) expect(example, `${place} ${name}`).toBeDefined();
      if (example !== undefined) expect(problemsOf(schema, example), `${place} ${name}`).toEqual([]);
    }
    const fields = Object.keys(inputOf(operation.operationId).shape);
    const isWholeInPath = fields.length > 0 && fields.every((name) => path.includes(`{${name}}`));
    const hasBody = method !== 'GET' && !isWholeInPath;
    expect(operation.requestBody !== undefined).toBe(hasBody);
    if (!operation.requestBody) return;
    const { schema, example } = jsonOf(operation.requestBody.content);
    const needsBody = endpoints.find((one) => one.operation === operation.operationId)?.needsBody;
    expect(operation.requestBody.required).toBe(needsBody);
    expect(example).toBeDefined();
    expect(problemsOf(schema, example)).toEqual([]);
    expect(schema.additionalProperties).toBe(false);
  });

  test('every example response is valid, of success and of each error', () => {
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '500', '503']));
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const media = jsonOf(content);
      for (const example of examplesOf(media)) {
        expect(example, status).toBeDefined();
        expect(problemsOf(media.schema, example), status).toEqual([]);
      }
    }
  });

  test('every field of its bodies, every parameter and every path segment has a description', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(parameters.map(({ name }) => name)).toEqual(inPath);
    for (const { in: place, required } of parameters)
      expect({ place, required }).toEqual({ place: 'path', required: true });
    for (const { name, description, schema } of operation.parameters ?? []) {
      expect(description, name).toMatch(/\S/);
      expect(schema.type, name).toBeDefined();
    }
  });

  test('its example prints on a receipt of 40 columns', () => {
    for (const example of examplesOf(jsonOf(operation.responses['200']?.content))) {
      const [business = '', ...rows] = (example as { printText?: string }).printText?.split('\n') ?? [];
      expect(business.length).toBeLessThanOrEqual(40);
      for (const row of rows) expect(row.length, row).toBe(40);
    }
  });
});

test('a generated client has named types, and number types of sufficient range', () => {
  expect(Object.keys(documentedSchemas)).toEqual(
    expect.arrayContaining([
      'ApiError',
      'Refusal',
      'CustomerRef',
      'Customer',
      'Balances',
      'Voucher',
      'TopUp',
      'Sale',
      'Order',
    ]),
  );
  const { paths } = openApiDocument('http://reference.invalid') as { paths: Record<string, object> };
  const answers = documented.map(({ operation }) => jsonOf(operation.responses['400']?.content).schema);
  for (const schema of answers) expect(schema).toEqual({ $ref: '#/components/schemas/ApiError' });
  const integers = [...schemasIn([paths, documentedSchemas])].filter(({ type }) => type === 'integer');
  expect(integers.length).toBeGreaterThan(50);
  for (const { format, minimum, maximum } of integers) {
    expect(format).toBeUndefined();
    expect(minimum).toBeGreaterThanOrEqual(Number.MIN_SAFE_INTEGER);
    expect(maximum).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  }
});

test('each request body has a named schema', () => {
  const { paths } = openApiDocument('http://reference.invalid') as {
    paths: Record<string, { post?: DocumentedOperation }>;
  };
  const posts = Object.values(paths).flatMap(({ post }) => (post?.requestBody ? [post] : []));
  expect(posts.length).toBeGreaterThan(10);
  for (const { operationId, requestBody } of posts) {
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
    expect(jsonOf(requestBody?.content).schema).toEqual({ $ref: `#/components/schemas/${name}` });
    expect(documentedSchemas[name]?.type, name).toBe('object');
  }
});

test('each example error has the details of its code, and issues if its status is 400', () => {
  const codes = new Set<string>();
  for (const { operation } of documented) {
    for (const [status, { content, 'x-error-codes': own = [] }] of Object.entries(operation.responses)) {
      if (status === '200') continue;
      const { error } = jsonOf(content).example as { error?: { code: ErrorCode; details: object; issues: object[] } };
      if (!error) continue;
      expect(error.details).toEqual(errorDetails[error.code]?.example ?? {});
      expect(error.issues.length > 0).toBe(status === '400');
      for (const code of own) codes.add(code);
    }
  }
  const schema = documentedSchemas.ErrorDetails as Record<string, unknown>;
  for (const [code, details] of Object.entries(errorDetails)) {
    expect(codes, code).toContain(code);
    expect(problemsOf(schema, details.example), code).toEqual([]);
  }
});

test('generators for other languages can read it', () => {
  const all = [...schemasIn([documented, documentedSchemas])];
  expect(all.filter(({ pattern }) => pattern !== undefined).length).toBeGreaterThan(5);
  for (const { format, pattern } of all) {
    if (typeof pattern !== 'string') continue;
    expect({ format, pattern }).toEqual({ format: undefined, pattern: expect.not.stringContaining('\\p{') });
  }
  // Beside `properties` these two make a type that is anything.
  for (const { properties, anyOf, oneOf } of all)
    if (properties) expect([anyOf, oneOf]).toEqual([undefined, undefined]);
});

test('responses may get more fields; requests have the documented ones only', () => {
  const inRequests = documented.map(({ operation }) => operation.requestBody);
  for (const schema of schemasIn([inRequests, documentedSchemas.CustomerRef])) {
    if (schema.properties && schema.type === 'object') expect(schema.additionalProperties).toBe(false);
  }
  const answered = Object.entries(documentedSchemas).filter(
    ([name]) => name !== 'CustomerRef' && !name.endsWith('Request'),
  );
  const inAnswers = documented.map(({ operation }) => operation.responses);
  const open = [...schemasIn([inAnswers, answered])].filter(({ properties }) => properties);
  expect(open.length).toBeGreaterThan(20);
  for (const schema of open) expect(schema.additionalProperties).not.toBe(false);
});

test('lists document their default page size', () => {
  const limitOf = (address: string) =>
    operationOf('GET', address)?.parameters?.find(({ name }) => name === 'limit')?.schema;
  const limit = { type: 'integer', minimum: 1, maximum: 100 };
  expect(limitOf('/orders')).toEqual({ ...limit, default: 50 });
  expect(limitOf('/stock-outs')).toEqual({ ...limit, default: 100 });
});

interface SomeSchema {
  type?: unknown;
  format?: string;
  pattern?: unknown;
  maximum?: number;
  minimum?: number;
  properties?: object;
  additionalProperties?: unknown;
  anyOf?: unknown;
  oneOf?: unknown;
}

/** Every object within that could be a schema. */
function* schemasIn(node: unknown): Generator<SomeSchema> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const inner of Object.values(node)) yield* schemasIn(inner);
}

test('the example voucher codes are ones that the service could have issued', () => {
  const codes = [...JSON.stringify(documented).matchAll(/"voucherCode":"([^"]+)"/g)].map(([, code]) => code ?? '');
  expect(codes.length).toBeGreaterThan(2);
  for (const code of codes) expect(parseVoucherCode(code), code).not.toBeNull();
});

describe('checking responses against the document', () => {
  const operation = operationOf('GET', '/ping') as DocumentedOperation;
  const { example } = jsonOf(operation.responses['200']?.content);
  const json = 'application/json; charset=utf-8';

  test('finds the operation of a URL, a literal path before one with a parameter', () => {
    const idOf = (method: string, address: string) => operationOf(method, address)?.operationId;
    expect(idOf('GET', '/ping?x=1')).toBe('ping');
    expect(idOf('GET', '/customers/phone/%2B6591234567/balances')).toBe('getCustomerBalancesByPhone');
    expect(idOf('POST', '/stock-outs/restore')).toBe('restoreStock');
    expect(idOf('GET', '/transactions/void')).toBe('getTransaction');
    expect(idOf('POST', '/transactions/void')).toBe('voidTransactions');
    for (const address of ['/nowhere', '/ping/', '/transactions/', '/qr-codes/a/b']) {
      expect(idOf('GET', address), address).toBeUndefined();
    }
    expect(idOf('DELETE', '/ping')).toBeUndefined();
  });

  test('rejects an unknown status, another content type, and a missing, extra or ill-typed field or detail', () => {
    const refused = (status: number, body: unknown, type = json) =>
      expect(() => expectDocumented('GET', '/ping', status, type, body)).toThrow(/^ping answered/);
    expectDocumented('GET', '/ping', 200, json, example);
    refused(204, example);
    refused(402, example);
    refused(200, example, 'text/html');
    refused(200, {});
    refused(200, { ...(example as object), surprise: 1 });
    refused(200, { ...(example as object), environment: 'staging' });
    refused(400, { error: { code: 'insufficient_balance', message: '', requestId: '', details: {}, issues: [] } });
    const notAllowed = (details: object) => ({
      error: { code: 'network_not_allowed', message: '', requestId: '', details, issues: [] },
    });
    expectDocumented('GET', '/ping', 403, json, notAllowed({ address: '203.0.113.7' }));
    refused(403, notAllowed({}));
    refused(403, notAllowed({ address: 7 }));
    refused(403, notAllowed({ address: '203.0.113.7', scope: 'read' }));
  });
});

describe('webhooks', () => {
  const { webhooks } = openApiDocument('http://reference.invalid') as {
    webhooks: Record<string, { post: DocumentedOperation & { description: string } }>;
  };

  test('each type of event is documented, and no other', () => {
    expect(Object.keys(webhooks)).toEqual([...eventTypes]);
  });

  test.each(Object.entries(webhooks))('the example of %s is valid, and is of that type', (type, { post }) => {
    const { schema, example } = jsonOf(post.requestBody?.content);
    expect(problemsOf(schema, example)).toEqual([]);
    expect(problemsOf(documentedSchemas.Event as Record<string, unknown>, example)).toEqual([]);
    expect(example).toMatchObject({ type });
    expect(post.description).toMatch(/\S/);
    expect(post.parameters?.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    // An event of one type does not match another type's schema.
    for (const other of eventTypes.filter((one) => one !== type)) {
      const { schema: others } = jsonOf(webhooks[other]?.post.requestBody?.content);
      expect(problemsOf(others, example), other).not.toEqual([]);
    }
  });
});
