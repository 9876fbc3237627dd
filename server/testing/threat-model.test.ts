import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const document = readFileSync('docs/threat-model.md', 'utf8');
const rows = document.split('\n').filter((line) => /^\| [STRIDE] \|/.test(line));
const proofsIn = (text: string) => [...text.matchAll(/`([\w/.-]+\.(?:test|e2e)\.ts)`: \*([^*]+)\*/g)];

test('every threat has its proof, and every named test exists', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) expect(proofsIn(row).length, row).toBeGreaterThan(0);
  for (const [, file = '', title = ''] of proofsIn(document)) {
    expect(existsSync(file), file).toBe(true);
    const text = readFileSync(file, 'utf8');
    const isThere = ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
    expect(isThere, `${file}: ${title}`).toBe(true);
  }
});
