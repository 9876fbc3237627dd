/** Every procedure is an operation of the reference, and accepts only what the reference says. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scopesNeeded } from '@/server/domain/access';
import { errorCatalog } from '@/server/domain/kernel/errors';
import { statusByKind } from '@/server/rest/envelope';
import { openApiDocument } from '@/server/rest/openapi';
import { documentedErrors } from '../expectations';
import { operations, withOwnRules } from '../operations';
import { procedures } from '../procedures';
import { sandboxOperations } from '../sandbox-operations';

// The document is generated first, and twice: the generator is known to change the schemas that it reads.
const document = openApiDocument('https://pos.example.com');
const again = openApiDocument('https://pos.example.com');

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minimum?: number;
}

interface Leaf {
  path: (string | number)[];
  type: string;
  /** The minimum of a number. */
  minimum: number;
}

/** Each field of a schema that is no object: in lists, of the first element. */
function leavesOf(schema: JsonSchema, path: (string | number)[] = [], defs = schema.$defs): Leaf[] {
  if (schema.$ref) return leavesOf(defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}, path, defs);
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, value]) => leavesOf(value, [...path, name], defs));
  }
  if (schema.items) return leavesOf(schema.items, [...path, 0], defs);
  return schema.type ? [{ path, type: schema.type, minimum: schema.minimum ?? 0 }] : [];
}

const leavesOfInput = (input: z.ZodObject) => leavesOf(z.toJSONSchema(input, { io: 'input' }) as JsonSchema);

/** `value` with `leaf` at `path`; lists and objects on the way are made where there are none. */
function replaced(value: unknown, [step, ...rest]: (string | number)[], leaf: unknown): unknown {
  if (step === undefined) return leaf;
  if (typeof step === 'number') return [replaced(undefined, rest, leaf)];
  const object = (value ?? {}) as Record<string, unknown>;
  return { ...object, [step]: replaced(object[step], rest, leaf) };
}

/** Invalid values for each type, which a coercing schema would convert. */
const foreign: Record<string, unknown[]> = {
  integer: [true, false, null, '1', '', [1], [], {}, 1.5, 1e12, Number.NaN, new Date(0), 1n],
  number: [true, false, null, '1', '', [1], []],
  boolean: [null, 'true', 'false', '', 0, 1, [], {}, 'on'],
  string: [null, true, 1, 0, ['a'], [], {}, 1n, new Date(0)],
};

test('the document is the same each time it is generated', () => {
  expect(again).toEqual(document);
  expect(document.openapi).toBe('3.1.0');
});

test('the suites know every operation', () => {
  const ids = procedures.map(({ meta }) => meta.openapi?.operationId);
  expect([...Object.keys({ ...operations, ...sandboxOperations }), ...withOwnRules].sort()).toEqual(ids.sort());
  expect(new Set(ids).size).toBe(ids.length);
});

test('every error code has a description and a status', () => {
  for (const [code, [kind, meaning]] of Object.entries(errorCatalog)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(meaning).toMatch(/^[A-Z].{15,}\.$/);
    expect(statusByKind[kind]).toBeGreaterThanOrEqual(kind === 'moved' ? 308 : 400);
  }
});

describe.each(procedures)('$name', ({ meta, input, output }) => {
  const openapi = meta.openapi;
  const operation = openapi?.operationId ?? '';
  const { paths } = document as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const documented = paths[openapi?.path ?? '']?.[(openapi?.method ?? '').toLowerCase()];
  const example = meta.example?.request ?? {};
  // All that stands in an address is text: a number there has to be read from it.
  const isQuery = openapi?.method === 'GET';

  test('has a summary, a description, an id, a tag and an example', () => {
    expect(documented).toMatchObject({
      operationId: operation,
      summary: expect.stringMatching(/^[A-Z].+[^.]$/),
      description: expect.stringMatching(/\.$/),
      tags: [expect.any(String)],
      security: [{ apiKey: scopesNeeded(meta.scope) }],
    });
    expect(meta.example?.answer).toBeDefined();
    const inPath = openapi?.path.match(/\{\w+\}/g) ?? [];
    expect(inPath.every((name) => name.slice(1, -1) in example)).toBe(true);
    const text = JSON.stringify(documented);
    for (const value of Object.values(example)) expect(text).toContain(JSON.stringify(value));
    expect(text).toContain(JSON.stringify(meta.example?.answer));
  });

  test('each of its codes is in the catalog and documented under its status', () => {
    const errors = documentedErrors(operation);
    const responses = (documented?.responses ?? {}) as Record<string, { description: string }>;
    for (const code of ['invalid_request', 'invalid_api_key', 'service_unavailable', ...(meta.errors ?? [])] as const) {
      expect(errorCatalog[code], code).toBeDefined();
      expect(errors.get(code), code).toBe(statusByKind[errorCatalog[code][0]]);
    }
    expect(errors.get('internal_error')).toBe(500);
    for (const code of errors.keys()) {
      if (code === 'internal_error') continue;
      expect(errorCatalog, code).toHaveProperty(code);
      const description = responses[String(errors.get(code))]?.description;
      expect(description).toContain(`\`${code}\``);
    }
    expect(new Set(meta.errors).size).toBe(meta.errors?.length ?? 0);
  });

  test('its example request and response pass its own schemas, the response unchanged', () => {
    expect(input.parse(example)).toMatchObject(example);
    expect(output.parse(meta.example?.answer)).toEqual(meta.example?.answer);
  });

  test('rejects an unknown field', () => {
    expect(input.safeParse({ ...example, surprise: 1 }).success).toBe(false);
  });

  test('coerces nothing: a field accepts its own type only, the second time as the first', () => {
    for (const { path, type } of leavesOfInput(input)) {
      if (isQuery && type !== 'string') continue;
      const values = foreign[type];
      if (!values) throw new Error(`${path.join('.')} is of a type that this test does not know: ${type}`);
      for (const value of [...values, ...values]) {
        // The other names of a customer would make an issue of their own, elsewhere.
        const base = path[0] === 'customer' ? { ...example, customer: {} } : example;
        const { success, error } = input.safeParse(replaced(base, path, value));
        expect(success, `${path.join('.')} = ${String(value)}`).toBe(false);
        expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(path.join('.'));
      }
    }
  });

  test('accepts its own types, and passes them on unchanged', () => {
    for (const { path, type, minimum } of leavesOfInput(input)) {
      if (type === 'string') continue;
      const leaf = type === 'boolean' ? false : Math.max(1, minimum);
      const { data, error } = input.safeParse(replaced(example, path, leaf));
      // Other fields may not agree with it: only what is said of the field itself counts.
      expect(error?.issues.filter((issue) => issue.path.join('.') === path.join('.')) ?? []).toEqual([]);
      if (data) expect(data).toEqual(replaced(example, path, leaf));
    }
  });

  test('no schema of it is set to coerce', () => {
    for (const schema of schemasWithin(isQuery ? [output] : [input, output])) {
      expect((schema._zod.def as { coerce?: boolean }).coerce ?? false, schema._zod.def.type).toBe(false);
    }
  });
});

/** The schemas and all that they are made of. */
function schemasWithin(roots: z.core.$ZodType[]): Set<z.core.$ZodType> {
  const found = new Set<z.core.$ZodType>();
  const pending: unknown[] = [...roots];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!(value instanceof z.ZodType) || found.has(value)) continue;
    found.add(value);
    const def = value._zod.def as unknown as Record<string, unknown>;
    for (const part of Object.values(def)) pending.push(...(Array.isArray(part) ? part : [part]));
    pending.push(...Object.values((def.shape as Record<string, unknown> | undefined) ?? {}));
  }
  return found;
}
