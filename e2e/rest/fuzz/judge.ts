/** What is wrong with an answer, by the OpenAPI document and by what no answer may ever be. */
import type { IncomingHttpHeaders } from 'node:http';
import { type DocumentedOperation, expectDocumented, operationOf, problemsOf } from '../document';
import type { FuzzRequest } from './requests';

export interface FuzzAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  ms: number;
}

/** The contract's bound for any answer. */
const slowestMs = 5_000;

/** Headers of the transport, which no document speaks of. */
const ofTransport = [
  ...['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['content-security-policy', 'cross-origin-resource-policy', 'x-content-type-options'],
];

/** What would show how we are built: stacks, files, SQL and the names of libraries' errors. */
const innards = [
  /\bat (async )?(\S+ \()?\S*[/.]\S*:\d+:\d+/,
  /node_modules|file:\/\/|node:internal|\/(work|home|root|tmp|srv|opt)\//,
  /[\w-]\.(ts|js|mjs|cjs):\d/,
  /\b(PostgresError|ZodError|TRPCError|TypeError|RangeError|SyntaxError|ECONN[A-Z]+)\b/,
  /violates|duplicate key|syntax error at|invalid input syntax|invalid byte sequence|relation "|column "|out of range for type/i,
  /\b(select|insert into|update|delete from)\b[^"]{1,80}\b(from|values|set|where)\b/i,
];

interface ErrorBody {
  error?: { code?: string; requestId?: string };
}

/** Nothing, or why the answer must not be; `goodKeys` are those that open the API. */
export function complaintsAbout(request: FuzzRequest, answer: FuzzAnswer, goodKeys: Set<string>): string[] {
  const { status, text, ms } = answer;
  const complaints: string[] = [];
  const operation = operationOf(request.method, request.path);
  const isKnown = goodKeys.has(request.headers['x-api-key'] ?? '');
  const body = parsed(text);
  const code = (body as ErrorBody | null)?.error?.code;
  if (ms > slowestMs) complaints.push(`it took ${Math.round(ms)} ms`);
  if (status >= 500) complaints.push(`it is a ${status}`);
  for (const pattern of innards)
    if (pattern.test(text)) complaints.push(`it shows our innards: ${pattern.exec(text)?.[0]}`);
  if (!isKnown && status !== 401) complaints.push('without a good key it is 401, whatever else the request is');
  if (isKnown && status === 401) complaints.push('the key is good');
  if (isKnown && operation && status !== 400 && isAgainst(operation, request))
    complaints.push('by the document the request is wrong: 400');
  if (request.method === 'HEAD') return text === '' ? complaints : [...complaints, 'a HEAD has no body'];
  if (isKnown && !operation && (status !== 404 || code !== 'endpoint_not_found'))
    complaints.push('there is no such operation: 404 endpoint_not_found');
  if (status === 401 && code !== 'invalid_api_key') complaints.push('a 401 is invalid_api_key');
  if (status >= 400 && (body as ErrorBody | null)?.error?.requestId !== answer.headers['x-request-id'])
    complaints.push('the requestId is not that of the header');
  try {
    // Where there is no operation, no document says how a 401 looks; all look alike.
    expectDocumented(
      operation ? request.method : 'GET',
      operation ? request.path : '/ping',
      operation ? status : 401,
      answer.headers['content-type'] ?? '',
      operation ? body : asUnauthorized(body),
    );
  } catch (error) {
    complaints.push((error as Error).message);
  }
  const documented = Object.keys(operation?.responses[status]?.headers ?? { 'x-request-id': {} });
  if (!answer.headers['x-request-id']) complaints.push('x-request-id is missing');
  for (const name of Object.keys(answer.headers)) {
    if (![...ofTransport, ...documented].includes(name))
      complaints.push(`the document does not have the header ${name}`);
  }
  return complaints;
}

const asUnauthorized = (body: unknown) => {
  const { error } = body as ErrorBody;
  return { error: { ...error, code: 'invalid_api_key' } };
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Of an operation whose fields are all in the address. */
const noFields = { type: 'object', additionalProperties: false };

/** Whether the document alone says that the request is wrong. */
function isAgainst(operation: DocumentedOperation, { method, path, headers, body }: FuzzRequest): boolean {
  if (method === 'GET') return isQueryAgainst(operation, path);
  const schema = operation.requestBody?.content['application/json']?.schema ?? noFields;
  // A question mark alone says nothing.
  if (/\?./s.test(path)) return true;
  if ((body ?? '').length === 0 && operation.requestBody?.required !== true) return problemsOf(schema, {}).length > 0;
  if (headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') return true;
  const value = parsed(typeof body === 'string' ? body : Buffer.from(body ?? '').toString('utf8'));
  return problemsOf(schema, withoutUnknown(value)).length > 0;
}

/** A sale that may be recorded without its customer may name one in any form. */
function withoutUnknown(value: unknown): unknown {
  if ((value as { ifCustomerUnknown?: unknown } | null)?.ifCustomerUnknown !== 'recordWithout') return value;
  const { customer, ...rest } = value as Record<string, unknown>;
  return rest;
}

function isQueryAgainst({ parameters = [] }: DocumentedOperation, path: string): boolean {
  const query = path.split('?')[1] ?? '';
  if (/%(?![0-9a-f]{2})/i.test(path)) return true;
  const pairs = [...new URLSearchParams(query)];
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return true;
  return pairs.some(([name, value]) => {
    const schema = parameters.find((one) => one.in === 'query' && one.name === name)?.schema;
    if (!schema) return true;
    const given = schema.type === 'integer' && String(Number(value)) === value ? Number(value) : value;
    return problemsOf(schema, given).length > 0;
  });
}
