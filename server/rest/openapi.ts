/** Builds the OpenAPI 3.1 document: shapes come from the procedures' schemas, errors from the domain's catalog. */
import { generateOpenApiDocument } from 'trpc-openapi';
import { type ErrorCode, errorCatalog } from '@/server/domain/core/errors';
import { posRouter } from '@/server/trpc/pos/router';
import { type Endpoint, endpoints } from './endpoints';
import { statusByKind } from './envelope';
import { apiPrefix } from './handler';
import { allowMoreFields, makePortable } from './portable-schemas';

/** The errors that every operation can return. */
const commonErrors: ErrorCode[] = ['invalid_request', 'invalid_api_key', 'rate_limited', 'service_unavailable'];

const statusTexts: Record<number, string> = {
  400: 'Bad Request: wrong from the request alone.',
  401: 'Unauthorized: no valid key. Checked before anything else.',
  402: 'Request Failed: well-formed, but refused by the state of things.',
  403: 'Forbidden: the key may not do this.',
  404: 'Not Found: the named thing does not exist, or belongs to another merchant.',
  429: 'Too Many Requests: wait for `Retry-After` seconds.',
  500: 'Internal Server Error: a fault of ours; `requestId` helps us find it.',
  503: 'Service Unavailable: it may have been carried out; send the same request again after `Retry-After` seconds.',
};

const description = `
Customer balances, stored value, vouchers, points, sales, voids, QR ordering and stock-outs for a point-of-sale system, in
plain JSON over HTTPS.

**Keys.** Send your API key as \`x-api-key\` with every request. Sandbox and production are two deployments, each with
its own address and keys. A key grants significant access: keep it out of repositories and client-side code.

**Money** is an integer in the currency's minor unit: \`1050\` is 10.50 in SGD, and 1050 in JPY.

**Retries.** A \`transactionId\` has one outcome, for ever. After 5 seconds without an answer, send the same request
again, ask \`GET /transactions/{transactionId}\`, or void it. While the request may still be on its way to us, only the
first and the last settle it: a 404 then says that it has not come yet, and it may come later. A repeated answer carries
the header \`idempotent-replayed: true\`. The same id with another body is refused with \`transaction_id_conflict\`.

**Changes.** Within \`v1\` answers may get more fields, and enums, codes and optional fields of requests may be added:
ignore what you do not know. Nothing is taken away or renamed. A field that a request does not have is refused.

**Limits.** Each key may send 50 requests a second, and 100 at once, unless the merchant has set it otherwise. Over that
the answer is 429 \`rate_limited\`: send the same request again after \`Retry-After\` seconds.

**Errors** have one shape. \`code\` is stable; \`message\` is for a cashier to read; \`issues\` names each bad field.
`.trim();

const tagDescriptions: Record<string, string> = {
  Service: 'Is the key right, and whose is it?',
  Customers: 'Who the customer is and what the customer holds.',
  'Stored value': 'An e-wallet: the customer pays in, a promotion adds to it, and bills are paid from it.',
  Vouchers: 'Fixed sums or percentages, off the bill or off items.',
  Points: 'Earned by sales, redeemed for money off the bill.',
  Sales: 'Settled bills, as the POS submits them.',
  'QR ordering': 'Codes that diners scan to order, and their orders.',
  'Stock-outs': 'What a store has run out of.',
  Transactions: 'Undo transactions, and find out what became of one.',
};

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: { description?: string };
  example?: unknown;
}

interface OperationObject {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, unknown>;
}

interface Document {
  info: Record<string, unknown>;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas?: Record<string, unknown>; responses?: Record<string, unknown> };
  tags?: unknown;
  externalDocs?: unknown;
}

/** Builds the document for a deployment at `origin`. */
export function openApiDocument(origin: string): Record<string, unknown> {
  const document = generateOpenApiDocument(posRouter, {
    title: 'Loyalty and Ordering API',
    version: '1.0.0',
    description,
    openApiVersion: '3.1.0',
    baseUrl: `${origin}${apiPrefix}`,
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Ask your service provider for a key.' },
    },
  }) as unknown as Document;
  document.tags = Object.entries(tagDescriptions).map(([name, text]) => ({ name, description: text }));
  document.externalDocs = {
    url: `${origin}/docs/guide`,
    description: 'One bill from start to end, and what to watch for.',
  };
  document.info.license = { name: 'Proprietary', url: `${origin}/docs` };
  document.components.schemas = { ...errorSchemas, ...withoutLibraryErrors(document.components.schemas) };
  for (const endpoint of endpoints) {
    const path = `/${endpoint.segments.join('/')}`;
    const operation = document.paths[path]?.[endpoint.method.toLowerCase()];
    if (operation) completeOperation(operation, endpoint);
  }
  allowMoreResponseFields(document);
  makePortable(document);
  return document as unknown as Record<string, unknown>;
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

function completeOperation(operation: OperationObject, { meta, method }: Endpoint): void {
  const request = meta.example?.request ?? {};
  for (const parameter of operation.parameters ?? []) {
    if (parameter.name in request) parameter.example = request[parameter.name];
    const { description, ...schema } = parameter.schema;
    if (description) Object.assign(parameter, { description, schema });
  }
  const body = operation.requestBody?.content['application/json'];
  if (body && method === 'POST') {
    // The library omits this for a schema with a rule over several fields.
    body.schema = { ...body.schema, additionalProperties: false };
    const inPath = new Set(operation.parameters?.map(({ name }) => name));
    body.example = Object.fromEntries(Object.entries(request).filter(([name]) => !inPath.has(name)));
  }
  const success = operation.responses['200'] as { headers?: unknown; content: Record<string, { example?: unknown }> };
  success.headers = { 'x-request-id': header('Names this request in our logs.') };
  const answer = success.content['application/json'];
  if (answer && meta.example) answer.example = meta.example.answer;
  const [requiredField] = (body?.schema as { required?: string[] } | undefined)?.required ?? [];
  const codes = [...commonErrors, ...(meta.errors ?? [])];
  operation.responses = { '200': success, ...errorResponses(codes, requiredField) };
  if (meta.errors?.includes('transaction_id_conflict')) documentReplays(operation.responses);
}

/** Documents that a response may repeat the outcome of a `transactionId`, a success or a refusal. */
function documentReplays(responses: Record<string, unknown>): void {
  for (const status of ['200', '402']) {
    const { headers } = responses[status] as { headers: Record<string, unknown> };
    headers['idempotent-replayed'] = header(
      '`true` where the same request was answered before: nothing happened again.',
    );
  }
}

/** `requiredField` is a field that the example error reports as missing. */
function errorResponses(codes: ErrorCode[], requiredField: string | undefined): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>([[500, []]]);
  for (const code of codes) {
    const status = statusByKind[errorCatalog[code][0]];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, statusCodes]) => [status, errorResponse(status, statusCodes, requiredField)]),
  );
}

function errorResponse(status: number, codes: ErrorCode[], requiredField: string | undefined): Record<string, unknown> {
  const names: string[] = status === 500 ? ['internal_error'] : codes;
  const lines = codes.map((code) => `- \`${code}\`: ${errorCatalog[code][1]}`);
  const [first] = codes;
  const isFieldMissing = status === 400 && requiredField !== undefined;
  const issues = isFieldMissing ? [{ path: requiredField, message: 'is required' }] : [];
  const meaning = first ? errorCatalog[first][1].replace(/`/g, '') : 'Something went wrong on our side.';
  const message = isFieldMissing ? `The request is not valid: ${requiredField} is required.` : meaning;
  const example = { code: names[0], message, requestId: '5f0c…', details: {}, issues };
  return {
    description: [statusTexts[status], ...lines].join('\n'),
    headers: {
      'x-request-id': header('Names this request in our logs.'),
      ...(status === 429 || status === 503 ? { 'retry-after': header('Seconds to wait.') } : {}),
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' }, example: { error: example } } },
    'x-error-codes': names,
  };
}

const header = (text: string) => ({ description: text, schema: { type: 'string' } });

const issueSchema = {
  type: 'object',
  required: ['path', 'message'],
  properties: {
    path: {
      type: 'string',
      description:
        'The field, as in `bill.lines.0.quantity`: items count from 0. Empty where it is about the whole request.',
    },
    message: { type: 'string' },
  },
};

const code = (note: string) => ({ type: 'string', description: `Stable; for programs. ${note}` });

const refusalFields = {
  code: code('One of the codes of the operation’s 402.'),
  message: { type: 'string', description: 'For a cashier to read.' },
  details: { type: 'object', description: 'Numbers and ids behind the message.', additionalProperties: true },
  issues: {
    type: 'array',
    description: 'Each bad field of a malformed request; empty for other errors.',
    items: { $ref: '#/components/schemas/Issue' },
  },
};
const requestId = { type: 'string', description: 'The same as the header `x-request-id`.' };

const objectOf = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });

const errorSchemas = {
  ApiError: {
    ...objectOf({ error: { $ref: '#/components/schemas/ApiErrorBody' } }),
    description: 'Every error of every operation.',
  },
  ApiErrorBody: objectOf({
    ...refusalFields,
    code: code('`x-error-codes` of the response names those of today.'),
    requestId,
  }),
  Refusal: {
    ...objectOf({ error: { $ref: '#/components/schemas/RefusalBody' } }),
    description: 'An error as it is kept: the outcome of a `transactionId`.',
  },
  RefusalBody: objectOf(refusalFields),
  Issue: issueSchema,
};

/** Removes the library's own error shapes, which we do not use. */
function withoutLibraryErrors(schemas: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.startsWith('error.')));
}
