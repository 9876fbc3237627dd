/** Samples of a request in several languages. */
import { snippetz } from '@scalar/snippetz';
import { apiPrefix } from '@/server/rest/handler';
import * as examples from '@/server/trpc/pos/examples';
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

/** The deployment that samples call. */
export interface Target {
  origin: string;
  /** A placeholder. */
  apiKey: string;
}

interface SampleRequest {
  method: 'GET' | 'POST';
  /** Below `/api/v1`, with its query. */
  path: string;
  body?: object | undefined;
}

type HttpRequest = Parameters<ReturnType<typeof snippetz>['print']>[2];
const generator = snippetz();

/** Completes what the library generates to what runs and shows the response. */
const generators: [SampleLanguage, (request: HttpRequest) => string][] = [
  [
    'typescript',
    (request) =>
      `const response = await ${generator.print('js', 'fetch', request)};\nconsole.log(await response.json());`,
  ],
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

/** All samples of a request, with the given one in curl. */
function samplesWith(curl: string, { method, path, body }: SampleRequest, { origin, apiKey }: Target): Sample[] {
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
  return [{ language: 'curl', code: curl }, ...others];
}

/**
 * An operation's example. The one in curl runs with `origin` and `key` set, as in the guides, again and again: the shell
 * puts the time and a number into ids that have to be new.
 */
export function samplesOf({ method, path: template, example }: Operation, target: Target): Sample[] {
  const { parameters, body, fresh } = example;
  const inPath = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''));
  const rest = Object.entries(parameters).filter(([name]) => !template.includes(`{${name}}`));
  const path = rest.length > 0 ? `${inPath}?${new URLSearchParams(rest)}` : inPath;
  const curl = `curl "$origin${apiPrefix}${path}" -H "x-api-key: $key"`;
  const isFresh = Object.keys(fresh).length > 0;
  const shellBody = { ...body, ...mapValues(fresh, (one) => one.replace('{fresh}', '$(date +%s)-$RANDOM')) };
  const document = `<<${isFresh ? 'END' : "'END'"}\n${JSON.stringify(shellBody, null, 2)}\nEND`;
  const sent = `${curl} \\\n  -H 'content-type: application/json' -d @- ${document}`;
  return samplesWith(body ? sent : curl, { method, path, body }, target);
}

const mapValues = (values: Record<string, string>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** What the variables of the guides stand for in other languages. */
const variables: Record<string, string> = {
  id: 'T1-20261120',
  phone: examples.customer.phone,
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

/** Samples of a guide's step: one curl, with its body as a here-document. Null for other shell text. */
export function samplesOfShell(shell: string, target: Target): Sample[] | null {
  const [, address] = /curl [^|"]*"\$origin\/api\/v1(\/[^"]+)"/.exec(shell) ?? [];
  if (!address || shell.split('curl ').length !== 2) return null;
  const [, text] = /<<END[^\n]*\n([\s\S]*?)\nEND$/m.exec(shell) ?? [];
  const path = address.replace(/\$(?:\{(\w+)[^}]*\}|(\w+))/g, (_, a, b) => encodeURIComponent(exampleOf(a ?? b)));
  const body = text && JSON.parse(text.replace(/\$(\w+)/g, (_, name) => exampleOf(name)));
  return samplesWith(shell, { method: body ? 'POST' : 'GET', path, body: body || undefined }, target);
}
