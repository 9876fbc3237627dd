/** Samples of a request in several languages. */
import { methods } from '@/server/rest/endpoints';
import { apiPrefix } from '@/server/rest/handler';
import { csharp } from './languages/csharp';
import { java } from './languages/java';
import { type Language, markOf, type Target } from './languages/language';
import { php } from './languages/php';
import { python } from './languages/python';
import { typescript } from './languages/typescript';
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

const languages: Record<Exclude<SampleLanguage, 'curl'>, Language> = { typescript, python, php, csharp, java };

/** Returns all samples. The one in curl is given, `write` makes the others. */
const samplesWith = (curl: string, write: (language: Language) => string): Sample[] => [
  { language: 'curl', code: curl },
  ...Object.entries(languages).map(([language, one]) => ({ language: language as SampleLanguage, code: write(one) })),
];

/** Returns samples of an operation's example. The one in curl needs `origin` and `key`, as in the guides. */
export function samplesOf({ method, path: template, example }: Operation, target: Target): Sample[] {
  const { parameters, body, fresh } = example;
  const inPath = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''));
  const rest = Object.entries(parameters).filter(([name]) => !template.includes(`{${name}}`));
  const path = rest.length > 0 ? `${inPath}?${new URLSearchParams(rest)}` : inPath;
  const verb = method === 'PUT' || method === 'PATCH' ? `-X ${method} ` : '';
  const curl = `curl ${verb}"$origin${apiPrefix}${path}" -H "x-api-key: $key"`;
  return samplesWith(body ? `${curl} \\\n  ${bodyInShell(body, fresh)}` : curl, ({ whole }) =>
    whole({ method, path, body }, target),
  );
}

/** Writes the body as a here-document. Fields that need a new value each time get it from the shell. */
function bodyInShell(body: object, fresh: Record<string, string>): string {
  const values = Object.entries(fresh).map(([name, text]) => [name, text.replace('{fresh}', '$(date +%s)-$RANDOM')]);
  const sent = JSON.stringify({ ...body, ...Object.fromEntries(values) }, null, 2);
  const end = values.length > 0 ? 'END' : "'END'";
  return `-H 'content-type: application/json' -d @- <<${end}\n${sent}\nEND`;
}

/**
 * Returns samples of a guide's set-up, or of a step, if it is one curl with its body as a here-document; null for other
 * shell text.
 */
export function samplesOfShell(shell: string, target: Target): Sample[] | null {
  if (shell.startsWith('origin=')) return samplesWith(shell, ({ setUp }) => setUp(target));
  const [, address] = /curl [^|"]*"\$origin\/api\/v1(\/[^"]+)"/.exec(shell) ?? [];
  if (!address || shell.split('curl ').length !== 2) return null;
  const [, text] = /<<END[^\n]*\n([\s\S]*?)\nEND$/m.exec(shell) ?? [];
  const marked = (part: string) =>
    part.replace(/\$(?:\{(\w+)[^}]*\}|(\w+))/g, (_, escaped, plain) =>
      markOf({ name: escaped ?? plain, isEscaped: escaped !== undefined }),
    );
  const body = text && JSON.parse(marked(text));
  const named = methods.find((one) => shell.includes(`curl -X ${one} `));
  const method = named ?? (body ? 'POST' : 'GET');
  const [, kept] = /^(\w+)=\$\(/.exec(shell) ?? [];
  return samplesWith(shell, ({ step }) => step({ method, path: marked(address), body: body || undefined }, kept));
}
