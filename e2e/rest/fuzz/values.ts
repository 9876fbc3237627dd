/** Values for the fields of a request: what its schema allows, with ids that exist, and what it does not. */
import fc from 'fast-check';
import { resolveSchema } from '../document';

export interface Schema {
  $ref?: string;
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** By the name of a field: what exists, or did, or might. */
export type Pools = Record<string, string[]>;

/** Fields for which a till knows values: `fillPlaces` puts them in, so that the arbitraries are built but once. */
const known = [
  ...['customerId', 'phone', 'email', 'storeCode', 'packageId', 'voucherCode', 'counterCode', 'qrCodeId', 'billId'],
  ...['orderId', 'plu', 'pin', 'occurredAt', 'closedAt', 'transactionId', 'endpointId', 'url'],
];
const placeholder = (name: string): fc.Arbitrary<string> => fc.nat({ max: 2 }).map((n) => `~${name}.${n}~`);

/** The text with the till's values in it; as they are in an address and in JSON. */
export const fillPlaces = (text: string, pools: Pools, encode = (value: string) => value): string =>
  text.replace(/~(\w+)\.(\d)~/g, (_, name, n) => encode(pools[name]?.[n] ?? ''));

const dayMs = 24 * 60 * 60_000;

/** A value that the schema allows: mostly one that the till knows. */
export function validValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref) return validValue(resolveSchema(schema), name);
  if (schema.type === 'object') return validObject(schema);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => validValue(one, name)));
  switch (schema.type) {
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 5 } = schema;
      const lengths = { minLength: minItems, maxLength: Math.min(maxItems, 4) };
      return fc.uniqueArray(validValue(items, name.replace(/s$/, '')), { ...lengths, selector: JSON.stringify });
    }
    case 'string': {
      if (!known.includes(name)) return validText(schema);
      return fc.oneof({ weight: 6, arbitrary: placeholder(name) }, validText(schema));
    }
    case 'integer': {
      const { minimum = 0, maximum = 1_000 } = schema;
      const usual = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 3_000) });
      return fc.oneof({ weight: 5, arbitrary: usual }, fc.constantFrom(minimum, maximum, maximum - 1));
    }
    case 'number':
      return fc.constantFrom(1, 2, 0.5, 1.234, 0.001, schema.maximum ?? 1);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`${name} has a schema that the fuzzer does not know: ${JSON.stringify(schema)}`);
  }
}

function validObject({ properties = {}, required = [], maxProperties }: Schema): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, validValue(schema, name)] as const);
  if (maxProperties === 1) return fc.oneof(...fields.map(([name, value]) => fc.record({ [name]: value })));
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

function validText({ format, pattern = '', minLength = 0, maxLength = 64 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.emailAddress();
  if (format === 'date') {
    return fc
      .integer({ min: 0, max: 30_000 })
      .map((days) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10));
  }
  if (format === 'date-time') {
    return fc.integer({ min: -40, max: 2 }).map((days) => new Date(Date.now() + days * dayMs).toISOString());
  }
  // Of any plane, in graphemes.
  if (pattern === '') {
    return fc.string({ unit: 'grapheme', minLength, maxLength }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value));
  }
  return fc.stringMatching(new RegExp(pattern));
}

/** An example of the document with ids that exist instead of its own. */
export function likeExample(example: unknown, name = ''): fc.Arbitrary<unknown> {
  if (Array.isArray(example)) {
    return fc.tuple(...example.map((item) => likeExample(item, name.replace(/s$/, ''))));
  }
  if (typeof example === 'object' && example !== null) {
    return fc.record(Object.fromEntries(Object.entries(example).map(([key, value]) => [key, likeExample(value, key)])));
  }
  return known.includes(name) ? placeholder(name) : fc.constant(example);
}

const deep = (open: string, close: string) => open.repeat(5_000) + close.repeat(5_000);

/** JSON, as text, that few fields take: JavaScript could not hold some of it. */
const odd: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['null', 'true', 'false', '0', '-0', '-1', '1.5', '1e-7', '1e2', '100000000000', '9007199254740993', '1e400'],
    ...['""', '" "', '"100"', '[]', '[null]', '{}', '[[1]]', '{"id":1}', '{"__proto__":{}}', '{"constructor":1}'],
    ...[
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"\\udc00\\ud800"',
      '"\\u202eabc"',
      '"\\u001b[2J"',
      '"😀𠮷é"',
      '"１２"',
    ],
    ...[
      '"2026-02-30"',
      '"0000-01-01"',
      '"2026-11-20T24:00:00Z"',
      '"2026-12-31T23:59:60Z"',
      '"9999-12-31T23:59:59+14:00"',
    ],
    ...[`"'; drop table customers; --"`, '"../../etc/passwd"', '"%00"', '"{{7*7}}"', '"<script>"', '"\\\\"'],
    ...['"00000000-0000-0000-0000-000000000000"', '"ffffffff-ffff-ffff-ffff-ffffffffffff"'],
    ...[
      deep('[', ']'),
      deep('{"a":', '}').replace(/:}/, ':1}'),
      `"${'x'.repeat(70_000)}"`,
      `[${'1,'.repeat(20_000)}1]`,
    ],
  ),
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 80 }).map((value) => JSON.stringify(value)),
);

type Path = (string | number)[];

/** Where there is something to change. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    pathsOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

const mark = '@mark@';
const extraNames = ['ammount', 'constructor', '__proto__', 'toString', '', ' ', '0', 'storecode', 'ключ', '$where'];

/** The JSON of an object with one fault: a field is missing, odd, repeated or unknown. */
export function nearlyValid(whole: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const change = fc.constantFrom('drop', 'odd', 'odd', 'odd', 'twice', 'extra');
  return fc.tuple(whole, fc.nat(), change, odd, fc.constantFrom(...extraNames)).map(([value, at, how, raw, name]) => {
    const copy = structuredClone(value) as Record<string | number, unknown>;
    const paths = pathsOf(copy);
    const path = paths[at % Math.max(paths.length, 1)];
    if (how === 'extra' || !path) return addField(JSON.stringify(copy), name, raw);
    const last = path.at(-1) as string | number;
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], copy) as typeof copy;
    const before = JSON.stringify(parent[last]);
    if (how === 'drop') delete parent[last];
    else parent[last] = mark;
    const put = how === 'twice' && typeof last === 'string' ? `${before},${JSON.stringify(last)}:${raw}` : raw;
    return JSON.stringify(copy).replace(`"${mark}"`, () => put);
  });
}

function addField(json: string, name: string, raw: string): string {
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}${JSON.stringify(name)}:${raw}}`;
}
