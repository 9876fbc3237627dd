/** Requests to every operation of the document: valid, nearly valid and invalid ones. */
import fc from 'fast-check';
import { type DocumentedEntry, documented } from '../document';
import { fillPlaces, likeExample, nearlyValid, type Pools, type Schema, validValue } from './values';

export interface FuzzRequest {
  method: string;
  /** As it is sent, below `/api/v1`. */
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  /** Sent in pieces, without its length said beforehand. */
  isChunked: boolean;
}

/** Who sends: a key, and what its merchant's till would know. */
export interface Actor {
  key: string;
  /** For the operations on webhook endpoints. */
  webhooksKey: string;
  pools: Pools;
}

const json = 'application/json';
const oneMiB = 1024 * 1024;

/** What an operation is sent; key and headers come later. */
type Content = Pick<FuzzRequest, 'method' | 'path' | 'body'> & { contentType?: string };

/** Operations whose fields are all in the address take an empty body. */
const emptyBody = { schema: { type: 'object' }, example: {} };

const schemaOfBody = ({ operation }: DocumentedEntry) =>
  (operation.requestBody?.content[json] ?? emptyBody) as { schema: Schema; example: unknown };

function rightBody(entry: DocumentedEntry): fc.Arbitrary<unknown> {
  const { schema, example } = schemaOfBody(entry);
  const atStore = fc.record({ storeCode: validValue({ type: 'string' }, 'storeCode') }, { requiredKeys: [] });
  const exemplary = fc.tuple(likeExample(example), atStore).map(([body, store]) => ({ ...(body as object), ...store }));
  return fc.oneof(validValue(schema), { weight: 2, arbitrary: exemplary });
}

const strange = [
  ...['%', '%zz', '%ff', '%00', '%ED%A0%80', '%C0%80', '..', '.', '%2e%2e', '%2F', '', "'", '*', '%F0%9F%98%80'],
  'a'.repeat(3_000),
];

/** The operation's path, with values that its schema allows, or with an odd one among them. */
function pathOf({ path, operation }: DocumentedEntry, isOdd: boolean): fc.Arbitrary<string> {
  const segments = path.split('/').slice(1);
  const parts = segments.map((segment) => {
    const name = segment.slice(1, -1);
    const schema = operation.parameters?.find((one) => one.in === 'path' && one.name === name)?.schema as Schema;
    const right = segment.startsWith('{')
      ? validValue(schema, name).map((value) => encodeURIComponent(String(value)))
      : fc.constant(segment);
    return isOdd ? fc.oneof({ weight: 5, arbitrary: right }, fc.constantFrom(...strange)) : right;
  });
  return fc.tuple(...parts).map((chosen) => `/${chosen.join('/')}`);
}

/** The query of a GET: nothing, or some of its parameters. */
function queryOf({ operation }: DocumentedEntry): fc.Arbitrary<string> {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  if (parameters.length === 0) return fc.constant('');
  const fields = parameters.map(({ name, schema }) => [name, validValue(schema as Schema, name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((query) => {
    const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  });
}

const oddQueries = [
  '?',
  '?storeCode',
  '?storeCode=',
  '?storeCode=NORTH&storeCode=SOUTH',
  '?limit=0',
  '?limit=1e1',
  '?limit=101',
  '?%ff=1',
  '?__proto__=1',
  '?constructor=x',
  '?pin=1234',
  '?after=%00',
  '?after=!!!!',
  '?after=eyJhIjoxfQ',
  '?status=none',
  `?after=${'x'.repeat(3_000)}`,
  '?a[b]=c',
  '?&&=&',
];

function rightRequest(entry: DocumentedEntry): fc.Arbitrary<Content> {
  const { method } = entry;
  const path = pathOf(entry, false);
  if (method === 'GET')
    return fc.tuple(path, queryOf(entry)).map(([at, query]) => ({ method, path: at + query, body: null }));
  return fc.tuple(path, rightBody(entry)).map(([at, body]) => ({ method, path: at, body: JSON.stringify(body) }));
}

/** With one thing wrong: in the body of those that have one, else in the address. */
function nearlyRight(entry: DocumentedEntry): fc.Arbitrary<Content> {
  const { method } = entry;
  if (method === 'GET') return oddAddress(entry);
  return fc.tuple(pathOf(entry, false), nearlyValid(rightBody(entry))).map(([path, body]) => ({ method, path, body }));
}

function oddAddress(entry: DocumentedEntry): fc.Arbitrary<Content> {
  const query = fc.oneof(fc.constant(''), queryOf(entry), fc.constantFrom(...oddQueries));
  const method = fc.oneof(
    { weight: 4, arbitrary: fc.constant(entry.method) },
    fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'),
  );
  return fc.tuple(method, pathOf(entry, true), query).map(([verb, path, rest]) => ({
    method: verb,
    path: path + rest,
    body: verb === 'POST' ? '{}' : null,
  }));
}

/** Bodies that are wrong as a whole. */
function oddBody(entry: DocumentedEntry): fc.Arbitrary<Content> {
  const right = entry.method === 'GET' ? fc.constant('{}') : rightBody(entry).map((body) => JSON.stringify(body));
  const types = [
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    `${json};`,
    'APPLICATION/JSON',
    ',',
  ];
  const bodies = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'null',
      '[]',
      '"x"',
      '1',
      '{',
      '{}{}',
      '{"a":1,}',
      "{'a':1}",
      'amount=100',
      '['.repeat(20_000),
      '{"a":'.repeat(20_000),
      '\ufeff{',
      '<xml/>',
    ),
    fc.uint8Array({ maxLength: 60 }),
    right.map((text) => Buffer.from(text, 'utf16le')),
    right.map((text) => Buffer.from(`${text.slice(0, -1)},"x":"\u00ff"}`, 'latin1')),
    right.map((text) => text.slice(0, -3)),
    right.map((text) => text.padEnd(oneMiB + 1, ' ')),
  );
  const wrongType = fc.record({ body: right, contentType: fc.constantFrom(...types) });
  return fc
    .tuple(pathOf(entry, false), fc.oneof({ weight: 2, arbitrary: bodies.map((body) => ({ body })) }, wrongType))
    .map(([path, rest]) => ({ method: entry.method, path, ...rest }));
}

const oddHeaders: Record<string, string>[] = [
  { accept: 'text/html' },
  { 'accept-encoding': 'gzip, br' },
  { 'content-encoding': 'gzip' },
  { 'x-forwarded-for': '10.0.0.1, 1.2.3.4' },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-request-id': 'mine' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-merchant-id': '00000000-0000-0000-0000-000000000000' },
  { origin: 'https://evil.example' },
  { authorization: 'Bearer x' },
  { cookie: 'next-auth.session-token=x' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' },
  { 'next-router-state-tree': '%', rsc: '1' },
  { 'x-api-version': 'ä' },
];

function contentOf(entry: DocumentedEntry): fc.Arbitrary<Content> {
  const right = rightRequest(entry);
  return fc.oneof(
    { weight: 50, arbitrary: right },
    { weight: 30, arbitrary: nearlyRight(entry) },
    { weight: 10, arbitrary: oddBody(entry) },
    { weight: 10, arbitrary: oddAddress(entry) },
  );
}

/** One till's few requests, one after another, about the same few customers and transactions. */
export function manyVisits(actors: Actor[], badKeys: string[], sandboxKey: string): fc.Arbitrary<FuzzRequest[]> {
  const content = fc.oneof(...documented.map(contentOf));
  const badKey = fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, fc.constantFrom(...badKeys));
  const headers = fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, fc.constantFrom(...oddHeaders));
  const drafts = fc.array(fc.tuple(content, badKey, headers, fc.nat({ max: 9 })), {
    minLength: 1,
    maxLength: 6,
    size: 'max',
  });
  return fc
    .tuple(fc.constantFrom(...actors), fc.nat({ max: 400 }), drafts)
    .map(([{ key, webhooksKey, pools }, n, steps]) => {
      const few = narrowed(pools, n);
      return steps.map(([draft, bad, odd, dice]) => {
        const { contentType = draft.body === null ? '' : json, method, path, body } = draft;
        // Advances clocks, orders faults and deletes data: of a merchant of whom nothing else is asked.
        const tillKey = path.startsWith('/sandbox/') ? sandboxKey : key;
        const goodKey = path.startsWith('/webhook-endpoints') ? webhooksKey : tillKey;
        const own = { 'content-type': contentType, 'x-api-key': bad ?? goodKey };
        return {
          method,
          path: fillPlaces(path, few, encodeURIComponent),
          headers: { ...odd, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== '')) },
          body: typeof body === 'string' ? fillPlaces(body, few) : body,
          isChunked: dice === 0,
        };
      });
    });
}

/** So few of each that requests meet: the same customer, the same `transactionId` for several operations. */
function narrowed(pools: Pools, n: number): Pools {
  const few = Object.entries(pools).map(([name, values]) => {
    const picked = [n, n * 7 + 3, n].map((at) => values[at % values.length] ?? '');
    return [name, picked] as const;
  });
  return { ...Object.fromEntries(few), transactionId: [`fuzz-${n}`, `fuzz-${n}-b`, `fuzz-${(n * 7) % 400}`] };
}
