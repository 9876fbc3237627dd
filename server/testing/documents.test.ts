import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const folders = ['docs', 'docs/adr', 'docs/guides', 'patches', 'db'];
const documents = ['.', ...folders].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .map((name) => join(folder, name)),
);
const roots = 'app|bench|clients|components|db|deploy|docs|e2e|pages|patches|public|server';
const partsOfServer = 'auth|cli|csv|domain|gateways|intl|jobs|limits|live|observe|process|rest|testing|trpc';

test.each(documents)('every file that %s links to or names exists', (document) => {
  const text = readFileSync(document, 'utf8');
  const links = [...text.matchAll(/\]\((?![\w+]+:|[/#])([^)#]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(dirname(document), link)))).toEqual([]);
  const named = text.matchAll(new RegExp(`\`((?:${roots}|${partsOfServer})/[\\w./[\\]-]*[\\w/])\``, 'g'));
  const paths = Array.from(named, ([, path = '']) => path);
  const isExample = (path: string) => path.startsWith('db/migrations/00');
  expect(
    paths.filter((path) => !isExample(path)).filter((path) => !existsSync(path) && !existsSync(join('server', path))),
  ).toEqual([]);
});
