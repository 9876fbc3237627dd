import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const document = readFileSync('docs/threat-model.md', 'utf8');
const rows = document.split('\n').filter((line) => /^\| [STRIDE] \|/.test(line));
const proofsIn = (text: string) => [...text.matchAll(/`([\w/.[\]-]+\.(?:test|e2e)\.ts)`: \*([^*]+)\*/g)];

const isTitleIn = (text: string, title: string) =>
  ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));

test('every threat has its proof, and every named test exists', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) expect(proofsIn(row).length, row).toBeGreaterThan(0);
  for (const [, file = '', title = ''] of proofsIn(document)) {
    expect(existsSync(file), file).toBe(true);
    const text = readFileSync(file, 'utf8');
    expect(isTitleIn(text, title), `${file}: ${title}`).toBe(true);
  }
});

test('every test that the list of patches names exists', () => {
  const tests = ['e2e/ordering/page-load.e2e.ts', ...readdirSync('db').map((name) => `db/${name}`)];
  const text = tests
    .filter((file) => /\.(test|e2e)\.ts$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const titles = [...readFileSync('patches/README.md', 'utf8').matchAll(/\*([^*|]+)\*/g)].map(
    ([, title = '']) => title,
  );
  expect(titles.length).toBeGreaterThan(15);
  expect(titles.filter((title) => !isTitleIn(text, title))).toEqual([]);
});
