/** The operations of the REST API, as the reference shows them. Read from the OpenAPI document. */
import type { Method } from '@/server/rest/endpoints';
import { type DocumentedOperation, document } from './document';
import { type Field, fieldOf, shapeOf } from './fields';

export interface Operation {
  id: string;
  method: Method;
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
    /** The usual one first. */
    responses: { title: string; value: unknown }[];
  };
  errors: { status: number; codes: string[] }[];
}

export interface OperationGroup {
  tag: string;
  description: string;
  operations: Operation[];
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
    body: body ? shapeOf(body.schema).fields : [],
    response: response ? shapeOf(response.schema).fields : [],
    example: {
      parameters: Object.fromEntries(given.map(({ name, example }) => [name, String(example)])),
      body: body?.example as object | undefined,
      fresh: body?.['x-fresh'] ?? {},
      responses: response?.examples
        ? Object.values(response.examples).map(({ summary: title, value }) => ({ title: `Response: ${title}`, value }))
        : [{ title: 'Response', value: response?.example }],
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
