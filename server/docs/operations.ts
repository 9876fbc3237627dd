/** The operations of the REST API, as the reference shows them. Read from the OpenAPI document. */
import { openApiDocument } from '@/server/rest/openapi';

export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  /** Markdown. */
  description: string;
  /** The values it can have, if there are few. */
  values: string[];
  /** Those of the object, or of each object in the list. */
  fields: Field[];
}

export interface Operation {
  id: string;
  method: 'GET' | 'POST';
  /** Below `/api/v1`. */
  path: string;
  tag: string;
  summary: string;
  /** Markdown. */
  description: string;
  parameters: Field[];
  body: Field[];
  response: Field[];
  example: {
    parameters: Record<string, string>;
    body: object | undefined;
    /** Templates for the fields of the body that need a new value each time, with `{fresh}` in them. */
    fresh: Record<string, string>;
    response: unknown;
  };
  errors: { status: number; codes: string[] }[];
}

export interface OperationGroup {
  tag: string;
  description: string;
  operations: Operation[];
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Media {
  content: { 'application/json': { schema: Schema; example?: unknown; 'x-fresh'?: Record<string, string> } };
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
    example?: unknown;
  }[];
  requestBody?: Media;
  responses: Record<string, Media & { 'x-error-codes'?: string[] }>;
}

const environment = process.env.APP_ENV === 'production' ? 'live' : 'sandbox';
const document = openApiDocument('', environment) as unknown as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
};

const nameOf = ({ $ref = '' }: Schema) => $ref.split('/').at(-1) ?? '';
const resolved = (schema: Schema): Schema =>
  schema.$ref ? { ...document.components.schemas[nameOf(schema)], ...schema } : schema;

const isNull = (schema: Schema) => schema.type === 'null';
const variantsOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf ?? [];

const formats: Record<string, string> = { 'date-time': 'time', date: 'date', uuid: 'UUID', email: 'e-mail address' };

function typeOf(given: Schema): string {
  const schema = resolved(given);
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map((one) => nameOf(one) || typeOf(one)))].join(' or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  const types = [schema.type ?? 'object'].flat();
  return types
    .map((type) => (type === 'array' ? `list of ${typeOf(schema.items ?? {})}s` : kindOf(type, schema)))
    .join(' or ');
}

const kindOf = (type: string, { format = '' }: Schema) => (type === 'string' ? (formats[format] ?? type) : type);

/** The fields of an object, of a list's objects, or of an object that can be null. */
function fieldsOf(given: Schema): Field[] {
  const schema = resolved(given);
  if (schema.items) return fieldsOf(schema.items);
  const objects = variantsOf(schema).filter((variant) => !isNull(variant));
  if (objects[0] && objects.length === 1) return fieldsOf(objects[0]);
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, schema.required?.includes(name) ?? false),
  );
}

function fieldOf(name: string, property: Schema, isRequired: boolean): Field {
  const { description = '', enum: values = resolved(property.items ?? {}).enum ?? [] } = resolved(property);
  return {
    name,
    type: typeOf(property),
    isRequired,
    description,
    values: values.map(String),
    fields: fieldsOf(property),
  };
}

function describe(path: string, method: string, operation: DocumentedOperation): Operation {
  const { operationId, summary, description = '', tags, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const response = responses['200']?.content['application/json'];
  const given = parameters.filter(({ example }) => example !== undefined);
  return {
    id: operationId,
    method: method.toUpperCase() as Operation['method'],
    path,
    tag: tags[0],
    summary,
    description,
    parameters: parameters.map(({ name, required = false, description = '', schema }) =>
      fieldOf(name, { description, ...schema }, required),
    ),
    body: body ? fieldsOf(body.schema) : [],
    response: response ? fieldsOf(response.schema) : [],
    example: {
      parameters: Object.fromEntries(given.map(({ name, example }) => [name, String(example)])),
      body: body?.example as object | undefined,
      fresh: body?.['x-fresh'] ?? {},
      response: response?.example,
    },
    errors: Object.entries(responses)
      .filter(([status]) => status !== '200')
      .map(([status, { 'x-error-codes': codes = [] }]) => ({ status: Number(status), codes })),
  };
}

export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => describe(path, method, operation)),
);

export const operationGroups: OperationGroup[] = document.tags
  .map(({ name, description }) => ({
    tag: name,
    description,
    operations: operations.filter(({ tag }) => tag === name),
  }))
  .filter((group) => group.operations.length > 0);

export const findOperation = (id: string): Operation | undefined => operations.find((operation) => operation.id === id);
