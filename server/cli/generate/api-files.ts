/** The files that follow from the OpenAPI document: the client's types and the Postman collection. Git ignores both. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const types = join('clients', 'typescript', 'src', 'schema.ts');
const collection = join('app', 'api', 'postman.json', 'collection.json');

/** Writes the files if they do not match this document, its libraries and the code that generates them. */
export async function writeApiFiles(document: Record<string, unknown>): Promise<void> {
  const header = `/** Generated from the OpenAPI document: ${digestOf(document)} */\n\n`;
  if (existsSync(collection) && existsSync(types) && readFileSync(types, 'utf8').startsWith(header)) return;
  const [{ postmanCollection }, { clientTypes }] = await Promise.all([import('./postman'), import('./client-types')]);
  write(collection, `${JSON.stringify(await postmanCollection(document), null, 2)}\n`);
  // Written last, because its header says that both files are current.
  write(types, header + (await clientTypes(document)));
}

/** Writes the files in a fresh clone. `npm run check` and `npm run build` keep them current. */
export function ensureApiFiles(): void {
  if (existsSync(collection) && existsSync(types)) return;
  const options = { stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
  execFileSync('npm', ['run', '--silent', 'generate:api'], { ...options, shell: process.platform === 'win32' });
}

function digestOf(document: Record<string, unknown>): string {
  const makers = [
    'package.json',
    ...['api-files', 'client-types', 'postman'].map((name) => `server/cli/generate/${name}.ts`),
  ];
  const hash = createHash('sha256').update(JSON.stringify(document));
  for (const maker of makers) hash.update(readFileSync(maker));
  return hash.digest('hex');
}

/** Replaces the file at once, because a build may read it while a check writes it. */
function write(file: string, text: string): void {
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
}
