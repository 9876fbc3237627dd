/** Finds the ids in a procedure's input from its schema, and replaces them. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { newId } from '@/server/domain/kernel/ids';

interface JsonSchema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

export interface IdField {
  /** `segment.lastVisitedStoreId`, `items[].plu`. */
  path: string;
  /** `cursor` is where a page starts. Another merchant's may be valid. */
  kind: 'uuid' | 'text' | 'cursor';
}

/** Texts that identify a merchant's data, or prove that it was seen. */
const namesOfIds =
  /^(search|lines|plu|plus|billId|subjectId|storeCode|phone|email|phoneOrEmail|effect|revision|token|voucherCode|counterCode|transactionIds?|qrCodeId)$/;

/** Returns an input's fields that are ids or similar. */
export function idFields(schema: JsonSchema, path = ''): IdField[] {
  const found = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => idFields(one, path));
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    found.push(...idFields(field, path === '' ? name : `${path}.${name}`));
  }
  if (schema.items) found.push(...idFields(schema.items, `${path}[]`));
  const kind = kindOf(schema, path.split('.').at(-1)?.replace('[]', '') ?? '');
  if (kind) found.push({ path, kind });
  return [...new Map(found.map((field) => [field.path, field])).values()];
}

function kindOf({ type, format, enum: choices, const: only }: JsonSchema, name: string): IdField['kind'] | null {
  if (![type].flat().includes('string') || choices || only !== undefined) return null;
  if (name === 'after' || name === 'before') return 'cursor';
  if (format === 'uuid') return 'uuid';
  return namesOfIds.test(name) ? 'text' : null;
}

/** Returns a procedure's input fields; none for a file. */
export function idFieldsOf(inputs: unknown[]): IdField[] {
  return inputs
    .filter((input) => input instanceof z.ZodType)
    .flatMap((input) => idFields(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema));
}

type Container = Record<string, unknown>;

const stepsOf = (path: string) => path.replaceAll('[]', '.[]').split('.');

/** Returns the value at a path, in the first element of lists; undefined if absent. */
export function valueAt(input: unknown, path: string): unknown {
  const keys = stepsOf(path).map((step) => (step === '[]' ? '0' : step));
  return keys.reduce<unknown>((value, key) => (value as Container | null | undefined)?.[key], input);
}

/** Puts `id` at a path, which must exist. Lists on the path keep only that element. */
export function withIdAt(input: unknown, path: string, id: string): unknown {
  const put = (value: unknown, [step, ...rest]: string[]): unknown => {
    if (step === undefined) return id;
    if (step === '[]') return [put((value as unknown[])[0], rest)];
    return { ...(value as Container), [step]: put((value as Container)[step], rest) };
  };
  return put(input, stepsOf(path));
}

/** Returns a similar id that does not exist. */
export function idOfNobody(id: string): string {
  if (z.uuid().safeParse(id).success) return newId();
  const [local = '', ...domain] = id.split('@');
  const letters = [...local];
  // The start is kept, such as a country code or one of our prefixes.
  for (let at = Math.max(letters.length - 5, 0); at < letters.length; at++) {
    const letter = letters[at] as string;
    // Random, so that no two are equal.
    if (/\d/.test(letter)) letters[at] = String((Number(letter) + randomInt(1, 10)) % 10);
    else if (/[a-z]/i.test(letter)) {
      const first = letter < 'a' ? 65 : 97;
      letters[at] = String.fromCharCode(first + ((letter.charCodeAt(0) - first + randomInt(1, 26)) % 26));
    }
  }
  return [letters.join(''), ...domain].join('@');
}
