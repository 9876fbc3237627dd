/** Checks the service's responses against its OpenAPI document. */
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ErrorCode } from '@/server/domain/kernel/errors';
import { errorDetails } from '@/server/rest/error-schemas';
import { openApiDocument } from '@/server/rest/openapi';

type Schema = Record<string, unknown>;
export interface Media {
  schema: Schema;
  example?: unknown;
  /** Answers in several situations, instead of one example. */
  examples?: Record<string, { value: unknown }>;
  'x-fresh'?: Record<string, string>;
}
type Content = Record<string, Media>;

export interface DocumentedOperation {
  operationId: string;
  security: [{ apiKey: string[] }];
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header';
    required?: boolean;
    description?: string;
    schema: Schema;
    example?: unknown;
  }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { headers?: Record<string, unknown>; content: Content; 'x-error-codes'?: string[] }>;
}

export interface DocumentedEntry {
  method: string;
  path: string;
  operation: DocumentedOperation;
}

const { paths, components } = openApiDocument('http://reference.invalid') as {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
};

/** The document's named schemas. */
export const documentedSchemas = components.schemas;

/** A schema, or what it refers to. */
export function resolveSchema<Kind extends object>(schema: Kind & { $ref?: string }): Kind {
  const { $ref, ...own } = schema;
  return $ref ? ({ ...documentedSchemas[$ref.split('/').at(-1) as string], ...own } as unknown as Kind) : schema;
}

/** Every operation, with the schema of its body in place of its name. */
export const documented: DocumentedEntry[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const body = operation.requestBody?.content['application/json'];
    if (body) body.schema = resolveSchema(body.schema);
    return { method: method.toUpperCase(), path, operation };
  }),
);

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
ajv.addVocabulary(['components']);
const compiled = new Map<Schema, ValidateFunction>();

/** Closes a schema: responses may get more fields later, but one that is missing in the document now is our mistake. */
function closed(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(closed);
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in node ? { additionalProperties: false, ...inner } : inner;
}
const closedComponents = closed(components);

/** Returns the problems of `value` by `schema`; empty for none. */
export function problemsOf(schema: Schema, value: unknown): string[] {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile({ ...(closed(schema) as Schema), components: closedComponents });
    compiled.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the whole'} ${message}`);
}

const segmentsOf = (path: string) => path.split('/').slice(1);
const isParameter = (segment: string) => segment.startsWith('{');
const templates = documented
  .map((entry) => ({ ...entry, segments: segmentsOf(entry.path) }))
  // A literal path wins over one with parameters.
  .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length);

/** Returns the operation of a request; undefined for an unknown URL. */
export function operationOf(method: string, address: string): DocumentedOperation | undefined {
  const parts = segmentsOf(address.split('?', 1)[0] ?? '');
  return templates.find(
    ({ method: own, segments }) =>
      own === method &&
      segments.length === parts.length &&
      segments.every((segment, i) => (isParameter(segment) ? parts[i] !== '' : segment === parts[i])),
  )?.operation;
}

/** Each code has the details that the document lists for it: all of them, and no others. */
function problemsOfDetails({ code, details }: { code: string; details: object }): string[] {
  const { example = {}, optional = [] } = errorDetails[code as ErrorCode] ?? {};
  const missing = Object.keys(example).filter((name) => !(name in details) && !(optional as string[]).includes(name));
  const unknown = Object.keys(details).filter((name) => !(name in example) && !(optional as string[]).includes(name));
  return [
    ...missing.map((name) => `${code} lacks details.${name}`),
    ...unknown.map((name) => `${code} has details.${name}`),
  ];
}

/** Throws where a response does not match the document: its status, its type or its body. */
export function expectDocumented(method: string, address: string, status: number, contentType: string, body: unknown) {
  const operation = operationOf(method, address);
  if (!operation) return;
  const what = `${operation.operationId} answered ${status}`;
  const response = operation.responses[status];
  if (!response) throw new Error(`${what}, which the document does not have: ${JSON.stringify(body).slice(0, 300)}`);
  const media = response.content[contentType.split(';', 1)[0] ?? ''];
  if (!media) throw new Error(`${what} with the content type ${contentType}, which the document does not have`);
  const problems = problemsOf(media.schema, body);
  const { error } = body as { error?: { code: string; details: object } };
  if (error && !response['x-error-codes']?.includes(error.code)) problems.push(`${error.code} is not among its codes`);
  if (error) problems.push(...problemsOfDetails(error));
  if (problems.length > 0) {
    throw new Error(`${what}, not as documented: ${problems.join('; ')}: ${JSON.stringify(body).slice(0, 500)}`);
  }
}
