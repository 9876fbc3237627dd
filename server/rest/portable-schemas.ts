/** Makes the OpenAPI document's schemas readable for client generators of any language. */

interface Schema {
  type?: unknown;
  format?: string;
  pattern?: string;
  maximum?: number;
  properties?: object;
  additionalProperties?: unknown;
}

/** Unicode classes, which few regex dialects support. */
const unportable = /\\p\{/;

/**
 * Everywhere in `document`: adds the 32-bit or 64-bit format to integers, and removes patterns that repeat a format or
 * that other languages can't read.
 */
export function makePortable(document: unknown): void {
  for (const schema of schemasIn(document)) {
    const { type, format, maximum = Number.POSITIVE_INFINITY, pattern } = schema;
    if (type === 'integer') schema.format = maximum < 2 ** 31 ? 'int32' : 'int64';
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
