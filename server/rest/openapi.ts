/** Builds the OpenAPI 3.1 document: shapes come from the procedures' schemas, errors from the domain's catalog. */
import { generateOpenApiDocument, type OpenApiRouter } from 'trpc-openapi';
import { z } from 'zod';
import { scopesNeeded } from '@/server/domain/access';
import { documentedEvents } from '@/server/domain/events';
import type { Services } from '@/server/domain/kernel/context';
import { type ErrorCode, errorCatalog } from '@/server/domain/kernel/errors';
import { posRouter } from '@/server/trpc/pos/router';
import { type Endpoint, endpoints, isServedIn } from './endpoints';
import { statusByKind } from './envelope';
import { describeCode, errorDetails, errorSchemas } from './error-schemas';
import { apiPrefix } from './handler';
import { describeWebhooks } from './openapi-webhooks';
import { allowMoreFields, makePortable } from './portable-schemas';

/** The errors that every operation can return. */
const commonErrors: ErrorCode[] = [
  ...(['merchant_moved', 'invalid_request', 'invalid_api_key', 'network_not_allowed'] as const),
  ...(['rate_limited', 'service_unavailable'] as const),
];

const statusTexts: Record<number, string> = {
  308: 'Permanent Redirect: send the same request, with the same key, to `Location`.',
  400: 'Bad Request: the request itself is wrong.',
  401: 'Unauthorized: there is no valid key. The key is checked before anything else.',
  402: 'Request Failed: the request is well-formed, but the current state does not allow it.',
  403: 'Forbidden: the key may not do this.',
  404: 'Not Found: the item does not exist or belongs to another merchant.',
  429: 'Too Many Requests: wait for `Retry-After` seconds.',
  500: 'Internal Server Error: a fault of the service. Quote `requestId` when you report it.',
  503: 'Service Unavailable: the request may have been executed. Send the same request again after `Retry-After` seconds.',
};

const description = `
Customer balances, stored value, vouchers, points, sales, voids, open bills, QR ordering and stock-outs for a point-of-sale system, in
plain JSON over HTTPS.

**Keys.** Send your API key as \`x-api-key\` with every request. Sandbox and production are two deployments, each with
its own address and keys. A key grants significant access: keep it out of repositories and client-side code. It may be limited
to scopes (ordering, bills, loyalty, webhooks) and to networks. Outside of them, requests get status 403. Each operation
names the scopes that it needs, and those that only read need none, but for the list of webhook endpoints.

**Money** is an integer in the currency's minor unit: \`1050\` is 10.50 in SGD, and 1050 in JPY.

**Retries.** A \`transactionId\` has exactly one outcome, which never changes. If there is no response within 5 seconds,
send the same request again, call \`GET /transactions/{transactionId}\`, or void the transaction. If the original request
may still be on its way, only a retry or a void settles it. A look-up may answer 404 and the original may arrive later.
A repeated response is the first one, byte for byte, with the header \`idempotent-replayed: true\`. In a repeated refusal,
only \`requestId\` is new. The same id with a different body is refused with \`transaction_id_conflict\`.

**Changes.** Within \`v1\`, new response fields, enum values, error codes and optional request fields may be added. Ignore
those you do not know. Nothing is removed or renamed. Unknown fields in a request are refused.

**Limits.** Each key may send 50 requests a second, with bursts of 100, unless the merchant has changed this. Above the
limit, requests get status 429 \`rate_limited\`. Send the same request again after \`Retry-After\` seconds.

**Errors** have one shape. \`code\` is stable. \`message\` is for the cashier. \`issues\` names each bad field.
`.trim();

const tagDescriptions: Record<string, string> = {
  Service: 'Check a key and see whose it is.',
  Customers: 'Enrol customers and look up their balances.',
  'Stored value': 'An e-wallet. Customers pay in, promotions add a bonus, and bills are paid from it.',
  Vouchers: 'Fixed or percentage discounts on the bill or on items.',
  Points: 'Earned by sales and redeemed for a discount on the bill.',
  Sales: 'Settled bills that the POS submits.',
  'QR ordering': 'QR codes that diners scan to order, and their orders.',
  'Stock-outs': 'Items that are sold out at a store.',
  Bills: 'Open bills at tables: what was redeemed and paid on each, and what is due.',
  Transactions: 'Void transactions, and look up the outcome of one.',
  Events: 'What changed, to be read in order, or received as webhooks.',
  'Webhook endpoints': 'The addresses to which events are sent. For merchant-wide keys with the scope `webhooks`.',
  Sandbox: 'For tests. Production does not have these.',
};

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: { description?: string };
  example?: unknown;
}

interface OperationObject {
  tags: string[];
  description: string;
  security: Record<string, readonly string[]>[];
  parameters?: Parameter[];
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema: object; example?: unknown; 'x-fresh'?: object }>;
  };
  responses: Record<string, unknown>;
}

interface Document {
  info: Record<string, unknown>;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas?: Record<string, unknown>; responses?: Record<string, unknown> };
  tags?: unknown;
  webhooks?: unknown;
  externalDocs?: unknown;
}

const ofEvents = '/events-in-the-reference';
const jsonResponse = (schemas: z.ZodType[]) => ({
  description: '',
  content: { 'application/json': { schema: z.union(schemas) } },
});

/** Builds the document for a deployment at `origin`. Production's omits what only a sandbox has. */
export function openApiDocument(
  origin: string,
  environment: Services['environment'] = 'sandbox',
): Record<string, unknown> {
  // The library's type knows only its own `meta`.
  const document = generateOpenApiDocument(posRouter as unknown as OpenApiRouter, {
    title: 'Loyalty and Ordering API',
    version: '1.0.0',
    description,
    openApiVersion: '3.1.0',
    baseUrl: `${origin}${apiPrefix}`,
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Ask your service provider for a key.' },
    },
    // Names the events' schemas like those of responses, so that both share the same schemas.
    paths: { [ofEvents]: { get: { responses: { 200: jsonResponse(documentedEvents.map(({ schema }) => schema)) } } } },
  }) as unknown as Document;
  delete document.paths[ofEvents];
  document.externalDocs = {
    url: `${origin}/docs`,
    description: 'Guides: the first call, a bill from start to end, retries, errors by code, and more.',
  };
  document.info.license = { name: 'Proprietary', url: `${origin}/docs` };
  document.components.schemas = { ...errorSchemas, ...withoutLibraryErrors(document.components.schemas) };
  for (const endpoint of endpoints) {
    const path = `/${endpoint.segments.join('/')}`;
    if (!isServedIn(endpoint, environment)) delete document.paths[path];
    const operation = document.paths[path]?.[endpoint.method.toLowerCase()];
    if (!operation) continue;
    completeOperation(operation, endpoint);
    nameRequest(operation, endpoint, document.components.schemas);
  }
  document.tags = usedTags(document);
  document.webhooks = describeWebhooks();
  allowMoreResponseFields(document);
  makePortable(document);
  return document as unknown as Record<string, unknown>;
}

function usedTags({ paths }: Document) {
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)));
  return Object.entries(tagDescriptions).flatMap(([name, text]) =>
    used.has(name) ? [{ name, description: text }] : [],
  );
}

function allowMoreResponseFields({ paths, components: { schemas = {} } }: Document): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const requestSchemas = new Set<string>();
  const follow = (node: unknown): void => {
    for (const [, name = ''] of (JSON.stringify(node) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (requestSchemas.has(name)) continue;
      requestSchemas.add(name);
      follow(schemas[name]);
    }
  };
  for (const { requestBody } of operations) follow(requestBody);
  for (const { responses } of operations) allowMoreFields(responses);
  for (const [name, schema] of Object.entries(schemas)) if (!requestSchemas.has(name)) allowMoreFields(schema);
}

function completeOperation(operation: OperationObject, { meta, method, needsBody }: Endpoint): void {
  if (operation.requestBody) operation.requestBody.required = needsBody;
  const request = meta.example?.request ?? {};
  for (const parameter of operation.parameters ?? []) {
    if (parameter.name in request) parameter.example = request[parameter.name];
    const { description, ...schema } = parameter.schema;
    if (description) Object.assign(parameter, { description, schema });
  }
  const body = operation.requestBody?.content['application/json'];
  if (body && method !== 'GET') {
    // The library omits this for a schema with a rule over several fields.
    body.schema = { ...body.schema, additionalProperties: false };
    const inPath = new Set(operation.parameters?.map(({ name }) => name));
    body.example = Object.fromEntries(Object.entries(request).filter(([name]) => !inPath.has(name)));
    if (meta.example?.fresh) body['x-fresh'] = meta.example.fresh;
  }
  const success = operation.responses['200'] as { headers?: unknown; content: Record<string, ResponseMedia> };
  success.headers = { 'x-request-id': header('Identifies this request in the logs of the service.') };
  const answer = success.content['application/json'];
  if (answer && meta.example) Object.assign(answer, answerExamples(meta.example));
  const [requiredField] = (body?.schema as { required?: string[] } | undefined)?.required ?? [];
  const field = {
    name: requiredField ?? operation.parameters?.[0]?.name ?? '',
    isRequired: requiredField !== undefined,
  };
  const scopes = scopesNeeded(meta.scope);
  operation.security = [{ apiKey: scopes }];
  operation.description += describeScopes(scopes);
  const scopeErrors: ErrorCode[] = scopes.length === 0 ? [] : ['scope_missing'];
  const codes = [...commonErrors, ...scopeErrors, ...(meta.errors ?? [])];
  operation.responses = { '200': success, ...errorResponses(codes, field) };
  if (meta.errors?.includes('transaction_id_conflict')) documentReplays(operation.responses);
}

interface ResponseMedia {
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

/** OpenAPI takes either one example or several with names. */
function answerExamples({ answer, others }: NonNullable<Endpoint['meta']['example']>): ResponseMedia {
  if (!others) return { example: answer };
  const named = Object.entries(others).map(([name, { summary, answer: value }]) => [name, { summary, value }] as const);
  return { examples: { usual: { summary: 'Usual', value: answer }, ...Object.fromEntries(named) } };
}

/** A sentence on the scopes that a key needs; empty if every key may call the operation. */
function describeScopes(scopes: readonly string[]): string {
  if (scopes.length === 0) return '';
  return `\n\nThe key needs the scope${scopes.length === 1 ? '' : 's'} ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
}

/** Names the schema of a body after its operation, such as `SubmitSaleRequest`, so that generated clients have its type. */
function nameRequest(operation: OperationObject, { operation: id }: Endpoint, schemas: Record<string, unknown>): void {
  const body = operation.requestBody?.content['application/json'];
  if (!body) return;
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Request`;
  schemas[name] = body.schema;
  body.schema = { $ref: `#/components/schemas/${name}` };
}

/** Documents that a response may repeat the outcome of a `transactionId`, a success or a refusal. */
function documentReplays(responses: Record<string, unknown>): void {
  const replayed = '`true` if this is the stored response to an earlier, identical request: byte for byte';
  for (const [status, note] of [
    ['200', ''],
    ['402', ', except for `requestId`'],
  ] as const) {
    const { headers } = responses[status] as { headers: Record<string, unknown> };
    headers['idempotent-replayed'] = header(`${replayed}${note}.`);
  }
}

/** A field in the example of `invalid_request`; an empty name stands for the whole request. */
interface ExampleField {
  name: string;
  isRequired: boolean;
}

function exampleOfInvalid({ name, isRequired }: ExampleField) {
  const problem = isRequired ? 'is required' : 'is not valid';
  const issues = [{ path: name, message: problem }];
  const message = name === '' ? 'The request is not valid.' : `The request is not valid: ${name} ${problem}.`;
  return { message, issues };
}

function errorResponses(codes: ErrorCode[], field: ExampleField): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>([[500, []]]);
  for (const code of codes) {
    const status = statusByKind[errorCatalog[code][0]];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, statusCodes]) => [status, errorResponse(status, statusCodes, field)]),
  );
}

function errorResponse(status: number, codes: ErrorCode[], field: ExampleField): Record<string, unknown> {
  const names: string[] = status === 500 ? ['internal_error'] : codes;
  const lines = codes.map(describeCode);
  const { message, issues } = status === 400 ? exampleOfInvalid(field) : { message: null, issues: [] };
  // A code with details makes the most useful example.
  const shown = (status === 400 ? codes[0] : codes.find((code) => errorDetails[code])) ?? codes[0];
  const meaning = shown ? errorCatalog[shown][1].replace(/`/g, '') : 'Something went wrong on our side.';
  const example = {
    code: shown ?? names[0],
    message: message ?? meaning,
    requestId: '5f0c…',
    details: (shown && errorDetails[shown]?.example) ?? {},
    issues,
  };
  return {
    description: [statusTexts[status], ...lines].join('\n'),
    headers: {
      'x-request-id': header('Identifies this request in the logs of the service.'),
      ...(status === 308 ? { location: header('The path to send the same request to, at the same host.') } : {}),
      ...(status === 429 || status === 503
        ? { 'retry-after': header('Seconds to wait before the next attempt.') }
        : {}),
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' }, example: { error: example } } },
    'x-error-codes': names,
  };
}

const header = (text: string) => ({ description: text, schema: { type: 'string' } });

/** Removes the library's own error shapes, which we do not use. */
function withoutLibraryErrors(schemas: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.startsWith('error.')));
}
