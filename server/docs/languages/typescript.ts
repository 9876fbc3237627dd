import { operations } from '../operations';
import { asJson, type Language, onlyValue, replaceParts, type SampleRequest } from './language';

const needs = '// Needs Node 20.19 or later, and our client, from the page "TypeScript client".';

/** A call of our client, whose paths are those of the document. */
function callOf({ method, path, body }: SampleRequest): string {
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
  const literal = asJson(options)
    .replace(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replace(/"([^"\n]*\uE000[^"\n]*)"/g, (_, text) => withValues(text));
  return `client.${method}('${template}'${literal === '{}' ? '' : `, ${literal}`})`;
}

function withValues(text: string): string {
  const parts = replaceParts(
    text,
    (part) => part,
    ({ name }) => `\${${name}}`,
  );
  return onlyValue(text) ?? `\`${parts.join('')}\``;
}

export const typescript: Language = {
  setUp: ({ origin, apiKey }) => `${needs}
import { createClient } from 'loyalty-ordering-client';

const client = createClient({ origin: '${origin}', apiKey: '${apiKey}' });
const random = (below: number) => Math.floor(Math.random() * below);
const phone = \`+6591\${100_000 + random(900_000)}\`;
const id = \`T1-\${Date.now()}-\${random(32_768)}\`;
const billId = \`B-\${random(1_000_000)}\`;
const occurredAt = new Date(Date.now() - 3_600_000).toISOString();

function show({ data, error }: { data?: unknown; error?: unknown }): string {
  const answer = JSON.stringify(data ?? error);
  console.log(answer);
  return answer;
}
const value = (answer: string, name: string) => new RegExp(\`"\${name}":"([^"]*)\`).exec(answer)?.[1] ?? '';

const store = value(show(await client.GET('/ping')), 'storeCode');`,

  step(request, kept) {
    const sent = `show(await ${callOf(request)})`;
    return kept ? `const ${kept} = value(${sent}, '${kept}');` : `${sent};`;
  },

  whole: (request, { origin, apiKey }) => `${needs}
import { createClient } from 'loyalty-ordering-client';

const client = createClient({ origin: '${origin}', apiKey: '${apiKey}' });
const { data, error } = await ${callOf(request)};
console.log(data ?? error.error.message);`,
};

/** Returns the parameters of an address that matches the template; null if it does not. */
function valuesIn(template: string, address: string): Record<string, string> | null {
  const pattern = template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${pattern}$`).exec(address);
  if (!match) return null;
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}
