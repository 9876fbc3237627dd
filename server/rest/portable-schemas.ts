/** Makes the OpenAPI document's schemas ones that generators of clients, in any language, can read. */

interface Schema {
  type?: unknown;
  format?: string;
  pattern?: string;
  maximum?: number;
  properties?: object;
  additionalProperties?: unknown;
}

/** Classes of Unicode, which few dialects of regular expressions know. */
const unportable = /\\p\{/;

/**
 * Everywhere in `document`: integers say whether they fit 32 bits; patterns are left out beside a format, which says the
 * same, and where other languages could not read them.
 */
export function makePortable(document: unknown): void {
  for (const schema of schemasIn(document)) {
    const { type, format, maximum = Number.POSITIVE_INFINITY, pattern } = schema;
    if (type === 'integer') schema.format = maximum < 2 ** 31 ? 'int32' : 'int64';
    if (typeof pattern === 'string' && (format || unportable.test(pattern))) delete schema.pattern;
  }
}

/** Lets answers have more fields than those of today, so that one that is added breaks no client. */
export function leaveOpen(answers: unknown): void {
  for (const schema of schemasIn(answers)) {
    if (schema.properties && schema.additionalProperties === false) delete schema.additionalProperties;
  }
}

function* schemasIn(node: unknown): Generator<Schema> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const inner of Object.values(node)) yield* schemasIn(inner);
}
