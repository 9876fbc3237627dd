/** The fields of a schema of the OpenAPI document, as the API reference lists them. */
import { document, type Schema } from './document';

export interface Field extends Shape {
  name: string;
  type: string;
  isRequired: boolean;
  /** Markdown. */
  description: string;
  /** The values it can have, if there are few. */
  values: string[];
  /** For example `1 to 100, default 50`; empty if there is no limit. */
  range: string;
}

/** The content of an object, or of each object in a list. */
export interface Shape {
  fields: Field[];
  /** The alternatives, if it is one of several objects. Then `fields` is empty. */
  forms: Form[];
}

interface Form extends Shape {
  name: string;
  /** Markdown. */
  description: string;
}

const nameOf = ({ $ref = '' }: Schema) => $ref.split('/').at(-1) ?? '';
const resolved = (schema: Schema): Schema =>
  schema.$ref ? { ...document.components.schemas[nameOf(schema)], ...schema } : schema;

const isNull = (schema: Schema) => schema.type === 'null';
const variantsOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf ?? [];
const objectsOf = (schema: Schema) => variantsOf(schema).filter((variant) => resolved(variant).properties);

const formats: Record<string, string> = { 'date-time': 'time', date: 'date', uuid: 'UUID', email: 'e-mail address' };

function typeOf(given: Schema): string {
  const schema = resolved(given);
  const variants = variantsOf(schema);
  const isOneOfObjects = objectsOf(schema).length > 1;
  if (isOneOfObjects) return variants.some(isNull) ? 'one of these objects or null' : 'object';
  if (variants.length > 0) return [...new Set(variants.map((one) => nameOf(one) || typeOf(one)))].join(' or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  const types = [schema.type ?? 'object'].flat();
  return types
    .map((type) => (type === 'array' ? `list of ${typeOf(schema.items ?? {})}s` : kindOf(type, schema)))
    .join(' or ');
}

const kindOf = (type: string, { format = '' }: Schema) => (type === 'string' ? (formats[format] ?? type) : type);

/** Returns the content of an object, of a list's objects, or of an object that may be null. */
export function shapeOf(given: Schema): Shape {
  const schema = resolved(given);
  if (schema.items) return shapeOf(schema.items);
  const objects = objectsOf(schema);
  if (objects[0] && objects.length === 1) return shapeOf(objects[0]);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, schema.required?.includes(name) ?? false),
  );
  return { fields, forms: objects.map(formOf) };
}

/** Events and transactions are named by their type, others by their schema. */
function formOf(given: Schema): Form {
  const { properties, description = '' } = resolved(given);
  return { name: String(properties?.type?.const ?? nameOf(given)), description, ...shapeOf(given) };
}

export function fieldOf(name: string, property: Schema, isRequired: boolean): Field {
  const schema = resolved(property);
  const { description = '', enum: values = resolved(schema.items ?? {}).enum ?? [] } = schema;
  return {
    name,
    type: typeOf(property),
    isRequired,
    description,
    values: values.map(String),
    range: rangeOf(schema),
    ...shapeOf(property),
  };
}

/** Between which limits a field's value, length or number of items is, and of which characters it is. */
function rangeOf(schema: Schema): string {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER, minLength, maxLength, minItems, maxItems } = schema;
  const isLimited = minimum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const [, characters, least, most] = /^\^\[([\w.:-]+)\]\{(\d+),(\d+)\}\$$/.exec(schema.pattern ?? '') ?? [];
  const parts = [
    isLimited ? between(minimum, maximum, '') : '',
    between(minLength ?? least, maxLength ?? most, ' characters'),
    characters === undefined ? '' : `of ${characters}`,
    between(minItems, maxItems, ' items'),
    schema.default === undefined ? '' : `default ${schema.default}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function between(least: number | string | undefined, most: number | string | undefined, what: string): string {
  if (most === undefined) return '';
  const [from, to] = [Number(least ?? 0).toLocaleString('en'), Number(most).toLocaleString('en')];
  if (what === '') return `${from} to ${to}`;
  if (from === to) return `${to}${what}`;
  return from === '0' ? `up to ${to}${what}` : `${from} to ${to}${what}`;
}
