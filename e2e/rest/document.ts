/** Holds what the service says against what its OpenAPI document promises. */
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '@/server/rest/openapi';

type Schema = Record<string, unknown>;
type Content = Record<string, { schema: Schema; example?: unknown }>;

export interface DocumentedOperation {
  operationId: string;
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

/** The shapes that the document names. */
export const named = components.schemas;

/** A schema, or what it refers to. */
export function resolved<Kind extends object>(schema: Kind & { $ref?: string }): Kind {
  const { $ref, ...own } = schema;
  return $ref ? ({ ...named[$ref.split('/').at(-1) as string], ...own } as unknown as Kind) : schema;
}

export const documented: DocumentedEntry[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
ajv.addVocabulary(['components']);
const compiled = new Map<Schema, ValidateFunction>();

/** Answers may get more fields; one that the document does not have yet is a mistake of ours. */
function closed(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(closed);
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in node ? { additionalProperties: false, ...inner } : inner;
}
const closedComponents = closed(components);

/** What is wrong with `value` by `schema`, in words; empty where nothing is. */
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

/** The operation that a request is for; undefined for an address that the document does not have. */
export function operationOf(method: string, address: string): DocumentedOperation | undefined {
  const parts = segmentsOf(address.split('?', 1)[0] ?? '');
  return templates.find(
    ({ method: own, segments }) =>
      own === method &&
      segments.length === parts.length &&
      segments.every((segment, i) => (isParameter(segment) ? parts[i] !== '' : segment === parts[i])),
  )?.operation;
}

/** Throws where an answer is not one that the document promises: its status, its type and its body. */
export function expectDocumented(method: string, address: string, status: number, contentType: string, body: unknown) {
  const operation = operationOf(method, address);
  if (!operation) return;
  const what = `${operation.operationId} answered ${status}`;
  const response = operation.responses[status];
  if (!response) throw new Error(`${what}, which the document does not have: ${JSON.stringify(body).slice(0, 300)}`);
  const media = response.content[contentType.split(';', 1)[0] ?? ''];
  if (!media) throw new Error(`${what} with the content type ${contentType}, which the document does not have`);
  const problems = problemsOf(media.schema, body);
  const { code } = (body as { error?: { code: string } }).error ?? {};
  if (code && !response['x-error-codes']?.includes(code)) problems.push(`${code} is not among its codes`);
  if (problems.length > 0) {
    throw new Error(`${what}, not as documented: ${problems.join('; ')}: ${JSON.stringify(body).slice(0, 500)}`);
  }
}
