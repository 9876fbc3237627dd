/** Makes the OpenAPI document's schemas readable for client generators in any language. */

interface Schema {
  type?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  properties?: object;
  additionalProperties?: unknown;
}

/** Unicode classes, which few regex dialects support. */
const unportable = /\\p\{/;

/**
 * Throughout `document`, gives integers a minimum and a maximum instead of a format, and removes patterns that repeat a
 * format or that other languages can't read. With `int64`, several generators use BigInt and send strings, which are
 * refused.
 */
export function makePortable(document: unknown): void {
  for (const schema of schemasIn(document)) {
    const { type, format, pattern } = schema;
    if (type === 'integer') {
      delete schema.format;
      const { exclusiveMinimum } = schema;
      delete schema.exclusiveMinimum;
      schema.minimum ??= exclusiveMinimum === undefined ? Number.MIN_SAFE_INTEGER : exclusiveMinimum + 1;
      schema.maximum ??= Number.MAX_SAFE_INTEGER;
    }
    if (typeof pattern === 'string' && (format || unportable.test(pattern))) delete schema.pattern;
  }
}

/** Allows responses to have unknown fields, so that adding one breaks no client. */
export function allowMoreFields(answers: unknown): void {
  for (const schema of schemasIn(answers)) {
    if (schema.properties && schema.additionalProperties === false) delete schema.additionalProperties;
  }
}

function* schemasIn(node: unknown): Generator<Schema> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const inner of Object.values(node)) yield* schemasIn(inner);
}
