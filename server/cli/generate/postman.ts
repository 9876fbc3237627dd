/** Makes the Postman collection from the OpenAPI document. Served at `/api/postman.json`. */
import { convertV2 } from 'openapi-to-postmanv2';

interface Entry {
  key: string;
  value: string;
}

interface Operation {
  requestBody?: { content: Record<string, { 'x-fresh'?: Record<string, string> }> };
}

export interface PostmanRequest {
  name: string;
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
  for (const { request } of item.flatMap((folder) => folder.item)) {
    completeRequest(request, freshFields(document, request.url.path));
  }
  const variable = ['baseUrl', 'apiKey', storeCode].map((key) => ({ key, value: '' }));
  return { info, item, variable };
}

/** The variable for a key of all stores. A store's key leaves it empty, and the parameter off. */
const storeCode = 'storeCode';

/** The fields of the operation's example that need a new value each time. */
function freshFields(document: Record<string, unknown>, path: string[]): [name: string, template: string][] {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const template = `/${path.map((part) => part.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
  return Object.entries(paths[template]?.post?.requestBody?.content['application/json']?.['x-fresh'] ?? {});
}

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
