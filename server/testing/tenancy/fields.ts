/** Where ids stand in a procedure's input, found from its schema; and inputs with another id in such a place. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { newId } from '@/server/domain/core/ids';

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
  /** `cursor`: where a page begins; another merchant's may well be a good one. */
  kind: 'uuid' | 'text' | 'cursor';
}

/** Texts by which something of a merchant is found, or which say what was seen of it. */
const namesOfIds =
  /^(search|lines|plu|plus|billId|subjectId|storeCode|phone|email|effect|revision|token|voucherCode|counterCode|transactionIds?|qrCodeId)$/;

/** The fields of an input that are ids or as good as ids. */
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
  if (format === 'uuid') return 'uuid';
  if (name === 'after' || name === 'before') return 'cursor';
  return namesOfIds.test(name) ? 'text' : null;
}

/** The fields of a procedure's input; none for a file. */
export function idFieldsOf(inputs: unknown[]): IdField[] {
  return inputs
    .filter((input) => input instanceof z.ZodType)
    .flatMap((input) => idFields(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema));
}

type Container = Record<string, unknown>;

const stepsOf = (path: string) => path.replaceAll('[]', '.[]').split('.');

/** What stands at a path, in the first element of lists; undefined where there is nothing. */
export function valueAt(input: unknown, path: string): unknown {
  const keys = stepsOf(path).map((step) => (step === '[]' ? '0' : step));
  return keys.reduce<unknown>((value, key) => (value as Container | null | undefined)?.[key], input);
}

/** The input with `id` at the path, which the input must have; a list on the way then has but that element. */
export function withIdAt(input: unknown, path: string, id: string): unknown {
  const put = (value: unknown, [step, ...rest]: string[]): unknown => {
    if (step === undefined) return id;
    if (step === '[]') return [put((value as unknown[])[0], rest)];
    return { ...(value as Container), [step]: put((value as Container)[step], rest) };
  };
  return put(input, stepsOf(path));
}

/** Like the id, and nobody's. */
export function nobodys(id: string): string {
  if (z.uuid().safeParse(id).success) return newId();
  const [local = '', ...domain] = id.split('@');
  const letters = [...local];
  // The beginning says what it is: a country's code, a prefix of ours.
  for (let at = Math.max(letters.length - 5, 0); at < letters.length; at++) {
    const letter = letters[at] as string;
    // Another one for each, so that it never comes to the same.
    if (/\d/.test(letter)) letters[at] = String((Number(letter) + randomInt(1, 10)) % 10);
    else if (/[a-z]/i.test(letter)) {
      const first = letter < 'a' ? 65 : 97;
      letters[at] = String.fromCharCode(first + ((letter.charCodeAt(0) - first + randomInt(1, 26)) % 26));
    }
  }
  return [letters.join(''), ...domain].join('@');
}
