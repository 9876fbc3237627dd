/** Makes the Postman collection from the OpenAPI document. Served at `/api/postman.json`. */
import { convertV2 } from 'openapi-to-postmanv2';

interface Entry {
  key: string;
  value: string;
}

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
  required?: string[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema; 'x-fresh'?: Record<string, string> }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}

interface PostmanScript {
  listen: 'prerequest' | 'test';
  script: { type: 'text/javascript'; exec: string[] };
}

export interface PostmanRequest {
  name: string;
  event: PostmanScript[];
  request: {
    method: string;
    url: { raw: string; host: string[]; path: string[]; query: (Entry & { disabled?: boolean })[]; variable: Entry[] };
    body?: { raw?: string };
  };
}

export interface PostmanCollection {
  info: { name: string };
  item: { name: string; item: PostmanRequest[] }[];
  variable: Entry[];
}

/**
 * Converts the document. Requests send its examples, with new ids each time. Only `baseUrl` depends on the deployment:
 * the route sets it.
 */
export async function postmanCollection(document: Record<string, unknown>): Promise<PostmanCollection> {
  const converted = await new Promise<unknown>((resolve, reject) =>
    convertV2(
      { type: 'json', data: structuredClone(document) },
      { parametersResolution: 'Example', folderStrategy: 'Tags' },
      (error, result) =>
        result?.result ? resolve(result.output?.[0]?.data) : reject(error ?? new Error(result?.reason)),
    ),
  );
  const { info, item } = strip(converted) as PostmanCollection;
  for (const one of item.flatMap((folder) => folder.item)) {
    const operation = operationOf(document, one.request);
    completeRequest(one.request, freshFields(operation));
    one.event = scriptsOf(document, operation, one.request);
  }
  const variable = ['baseUrl', 'apiKey', storeCode].map((key) => ({ key, value: '' }));
  return { info, item, variable };
}

/** The variable for a key of all stores. A store's key leaves it empty, and the field out. */
const storeCode = 'storeCode';

function operationOf(document: Record<string, unknown>, { method, url }: PostmanRequest['request']): Operation {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const template = `/${url.path.map((part) => part.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
  const operation = paths[template]?.[method.toLowerCase()];
  if (!operation) throw new Error(`the document has no ${method} ${template}`);
  return operation;
}

/** The fields of the operation's example that need a new value each time. */
const freshFields = ({ requestBody }: Operation): [name: string, template: string][] =>
  Object.entries(requestBody?.content['application/json']?.['x-fresh'] ?? {});

const scriptOf = (listen: PostmanScript['listen'], exec: string[]): PostmanScript => ({
  listen,
  script: { type: 'text/javascript', exec },
});

/** Names the store, if the variable is set, and checks the answer: its status, and the fields that are always there. */
function scriptsOf(
  document: Record<string, unknown>,
  { requestBody, responses }: Operation,
  { url }: PostmanRequest['request'],
): PostmanScript[] {
  const { schemas } = document.components as { schemas: Record<string, Schema> };
  const resolve = (schema: Schema = {}): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const body = resolve(requestBody?.content['application/json']?.schema);
  const { required = [] } = resolve(responses['200']?.content['application/json']?.schema);
  const test = scriptOf('test', [
    "pm.test('is answered 200', () => {",
    '  if (pm.response.code !== 200) pm.expect.fail(pm.response.text());',
    '});',
    `pm.test('has each field', () => pm.expect(pm.response.json()).to.include.keys(${JSON.stringify(required)}));`,
  ]);
  if (body.properties?.[storeCode]) return [scriptOf('prerequest', nameStoreInBody), test];
  return url.query.some(({ key }) => key === storeCode) ? [scriptOf('prerequest', nameStoreInQuery), test] : [test];
}

const nameStoreInBody = [
  "const storeCode = pm.variables.get('storeCode');",
  'if (storeCode) pm.request.body.raw = JSON.stringify({ ...JSON.parse(pm.request.body.raw), storeCode });',
];
const nameStoreInQuery = [
  "const storeCode = pm.variables.get('storeCode');",
  "if (storeCode) pm.request.addQueryParams(['storeCode=' + encodeURIComponent(storeCode)]);",
];

function completeRequest(request: PostmanRequest['request'], fresh: [name: string, template: string][]): void {
  const { url, body } = request;
  // A store's key needs no parameter, and a list starts at its first page.
  for (const parameter of url.query) {
    if (parameter.key === 'status') continue;
    Object.assign(parameter, { value: parameter.key === storeCode ? `{{${storeCode}}}` : '', disabled: true });
  }
  // Other programs that import collections read only this.
  url.raw = rawAddress(url);
  if (!body?.raw) {
    delete request.body;
    return;
  }
  for (const [name, template] of fresh) {
    const value = template.replace('{fresh}', '{{$guid}}');
    body.raw = body.raw.replace(new RegExp(`("${name}": )"[^"]+"`), `$1"${value.replaceAll('$', '$$$$')}"`);
  }
}

function rawAddress({ host, path, query }: PostmanRequest['request']['url']): string {
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return [[...host, ...path].join('/'), ...(sent.length > 0 ? [sent.join('&')] : [])].join('?');
}

/** Removes ids, which differ at each conversion, and responses, which the API reference shows. */
function strip(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strip);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => !['id', '_postman_id', 'response', 'event'].includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, strip(value)]));
}
