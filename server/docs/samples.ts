/** Samples of a request in several languages. */
import { snippetz } from '@scalar/snippetz';
import { methods } from '@/server/rest/endpoints';
import { apiPrefix } from '@/server/rest/handler';
import * as examples from '@/server/trpc/pos/examples';
import { clientSample, type SampleRequest, type Target } from './client-sample';
import type { Operation } from './operations';

export const sampleLanguages = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  csharp: 'C#',
  java: 'Java',
};
export type SampleLanguage = keyof typeof sampleLanguages;

export interface Sample {
  language: SampleLanguage;
  code: string;
}

type HttpRequest = Parameters<ReturnType<typeof snippetz>['print']>[2];
const generator = snippetz();

/** Completes the library's samples, so that they run and show the response. */
const generators: [SampleLanguage, (request: HttpRequest) => string][] = [
  [
    'python',
    (request) =>
      `import requests\n\nresponse = ${generator.print('python', 'requests', request)}\nprint(response.json())`,
  ],
  ['php', (request) => `<?php\n${generator.print('php', 'curl', request)}`],
  [
    'csharp',
    (request) =>
      `${generator.print('csharp', 'httpclient', request)}\nConsole.WriteLine(await response.Content.ReadAsStringAsync());`,
  ],
  ['java', (request) => generator.print('java', 'okhttp', request) ?? ''],
];

/** Returns all samples of a request. The one in curl is given. */
function samplesWith(curl: string, sent: SampleRequest, target: Target): Sample[] {
  const { method, path, body } = sent;
  const { origin, apiKey } = target;
  const request = {
    method,
    url: `${origin}${apiPrefix}${path}`,
    headers: [
      { name: 'x-api-key', value: apiKey },
      ...(body ? [{ name: 'content-type', value: 'application/json' }] : []),
    ],
    ...(body ? { postData: { mimeType: 'application/json', text: JSON.stringify(body) } } : {}),
  };
  const others = generators.map(([language, generate]) => ({ language, code: generate(request) }));
  return [{ language: 'curl', code: curl }, { language: 'typescript', code: clientSample(sent, target) }, ...others];
}

/** Returns samples of an operation's example. The one in curl needs `origin` and `key`, as in the guides. */
export function samplesOf({ method, path: template, example }: Operation, target: Target): Sample[] {
  const { parameters, body, fresh } = example;
  const inPath = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''));
  const rest = Object.entries(parameters).filter(([name]) => !template.includes(`{${name}}`));
  const path = rest.length > 0 ? `${inPath}?${new URLSearchParams(rest)}` : inPath;
  const verb = method === 'PUT' || method === 'PATCH' ? `-X ${method} ` : '';
  const curl = `curl ${verb}"$origin${apiPrefix}${path}" -H "x-api-key: $key"`;
  return samplesWith(body ? `${curl} \\\n  ${bodyInShell(body, fresh)}` : curl, { method, path, body }, target);
}

/** Writes the body as a here-document. Fields that need a new value each time get it from the shell. */
function bodyInShell(body: object, fresh: Record<string, string>): string {
  const values = Object.entries(fresh).map(([name, text]) => [name, text.replace('{fresh}', '$(date +%s)-$RANDOM')]);
  const sent = JSON.stringify({ ...body, ...Object.fromEntries(values) }, null, 2);
  const end = values.length > 0 ? 'END' : "'END'";
  return `-H 'content-type: application/json' -d @- <<${end}\n${sent}\nEND`;
}

/** What the guides' variables become in other languages. */
const variables: Record<string, string> = {
  id: 'T1-20261120',
  phone: examples.customer.phone,
  customerId: examples.customer.customerId,
  packageId: examples.packageId,
  voucherCode: examples.voucher.voucherCode,
  billId: examples.order.billId,
  orderId: examples.order.orderId,
  qrCodeId: examples.order.qrCodeId,
  occurredAt: examples.order.placedAt,
};

function exampleOf(name: string): string {
  const value = variables[name];
  if (value === undefined) throw new Error(`a guide uses $${name}, which has no value for other languages`);
  return value;
}

/** Returns samples of a guide's step, if it is one curl with its body as a here-document; null for other shell text. */
export function samplesOfShell(shell: string, target: Target): Sample[] | null {
  const [, address] = /curl [^|"]*"\$origin\/api\/v1(\/[^"]+)"/.exec(shell) ?? [];
  if (!address || shell.split('curl ').length !== 2) return null;
  const [, text] = /<<END[^\n]*\n([\s\S]*?)\nEND$/m.exec(shell) ?? [];
  const path = address.replace(/\$(?:\{(\w+)[^}]*\}|(\w+))/g, (_, a, b) => encodeURIComponent(exampleOf(a ?? b)));
  const body = text && JSON.parse(text.replace(/\$(\w+)/g, (_, name) => exampleOf(name)));
  const named = methods.find((one) => shell.includes(`curl -X ${one} `));
  const method = named ?? (body ? 'POST' : 'GET');
  return samplesWith(shell, { method, path, body: body || undefined }, target);
}
