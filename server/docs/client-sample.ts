import type { Method } from '@/server/rest/endpoints';
import { operations } from './operations';

/** The deployment that the samples call. */
export interface Target {
  origin: string;
  /** A placeholder. */
  apiKey: string;
}

export interface SampleRequest {
  method: Method;
  /** Below `/api/v1`, with its query. */
  path: string;
  body?: object | undefined;
}

/** A sample that uses our client, whose paths are those of the document. */
export function clientSample({ method, path, body }: SampleRequest, { origin, apiKey }: Target): string {
  const [address = '', query] = path.split('?');
  const found = operations.flatMap((operation) => {
    const values = operation.method === method && valuesIn(operation.path, address);
    return values ? [{ template: operation.path, values }] : [];
  });
  const { template = address, values = {} } = found[0] ?? {};
  const params = {
    ...(Object.keys(values).length > 0 ? { path: values } : {}),
    ...(query ? { query: Object.fromEntries(new URLSearchParams(query)) } : {}),
  };
  const options = { ...(Object.keys(params).length > 0 ? { params } : {}), ...(body ? { body } : {}) };
  const literal = JSON.stringify(options, null, 2).replace(/^(\s*)"(\w+)":/gm, '$1$2:');
  return `import { createClient } from 'loyalty-ordering-client';

const client = createClient({ origin: '${origin}', apiKey: '${apiKey}' });
const { data, error } = await client.${method}('${template}'${literal === '{}' ? '' : `, ${literal}`});
console.log(data ?? error.error.message);`;
}

/** Returns the parameters of an address that matches the template; null if it does not. */
function valuesIn(template: string, address: string): Record<string, string> | null {
  const pattern = template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${pattern}$`).exec(address);
  if (!match) return null;
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}
