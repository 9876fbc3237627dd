import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const document = readFileSync('docs/threat-model.md', 'utf8');
const rows = document.split('\n').filter((line) => /^\| [STRIDE]\d+ \|/.test(line));
const threats = rows.map((row) => row.split(' ')[1]);
const proofsIn = (text: string) => [...text.matchAll(/`([\w/.[\]-]+\.(?:test|e2e)\.ts)`: \*([^*]+)\*/g)];

const isTitleIn = (text: string, title: string) =>
  ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));

function expectTestsExist(text: string): void {
  for (const [, file = '', title = ''] of proofsIn(text)) {
    expect(existsSync(file), file).toBe(true);
    expect(isTitleIn(readFileSync(file, 'utf8'), title), `${file}: ${title}`).toBe(true);
  }
}

test('every threat has a number of its own and its proof, and every named test exists', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(new Set(threats).size).toBe(rows.length);
  for (const row of rows) expect(proofsIn(row).length, row).toBeGreaterThan(0);
  expectTestsExist(document);
});

/** The requirements of levels 1 and 2 in ASVS 5.0. */
const asvs = [
  '1.1.1–2, 1.2.1–9, 1.3.1–11, 1.4.1–3, 1.5.1–2, 2.1.1–3, 2.2.1–3, 2.3.1–4, 2.4.1, 3.2.1–2, 3.3.1–4, 3.4.1–6',
  '3.5.1–5, 3.7.1–2, 4.1.1–3, 4.2.1, 4.3.1–2, 4.4.1–4, 5.1.1, 5.2.1–3, 5.3.1–2, 5.4.1–3, 6.1.1–3, 6.2.1–12',
  '6.3.1–4, 6.4.1–4, 6.5.1–5, 6.6.1–3, 6.8.1–4, 7.1.1–3, 7.2.1–4, 7.3.1–2, 7.4.1–5, 7.5.1–2, 7.6.1–2, 8.1.1–2',
  '8.2.1–3, 8.3.1, 8.4.1, 9.1.1–3, 9.2.1–4, 10.1.1–2, 10.2.1–2, 10.3.1–4, 10.4.1–11, 10.5.1–5, 10.6.1–2, 10.7.1–3',
  '11.1.1–2, 11.2.1–3, 11.3.1–3, 11.4.1–4, 11.5.1, 11.6.1, 12.1.1–3, 12.2.1–2, 12.3.1–4, 13.1.1, 13.2.1–5',
  '13.3.1–2, 13.4.1–5, 14.1.1–2, 14.2.1–4, 14.3.1–3, 15.1.1–3, 15.2.1–3, 15.3.1–7, 16.1.1, 16.2.1–5, 16.3.1–4',
  '16.4.1–3, 16.5.1–3, 17.1.1, 17.2.1–4, 17.3.1–2',
];

/** `3.2.1–2, 3.4.1` as single ids. */
const idsOf = (ranges: string) =>
  ranges.split(', ').flatMap((range) => {
    const [, section = '', first, last = first] = /^(\d+\.\d+)\.(\d+)(?:–(\d+))?$/.exec(range) ?? [];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${section}.${Number(first) + at}`);
  });

/** `Threats S4, T12` as single ids. */
const threatsIn = (answer: string) =>
  [...answer.matchAll(/\bThreats? ((?:[STRIDE]\d+(?:, )?)+)/g)].flatMap(([, ids = '']) => ids.split(', '));

/** A heading as the part of a link behind `#`. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

test('every requirement of ASVS occurs once, with a test, a document or a reason, and all of these exist', () => {
  const text = readFileSync('docs/asvs.md', 'utf8');
  const answers = [...text.matchAll(/^\| ([\d., –]+|API\d+) \| [^|]+ \| (.+) \|$/gm)];
  const ids = answers.flatMap(([, ids = '']) => (ids.startsWith('API') ? ids : idsOf(ids)));
  const risks = Array.from({ length: 10 }, (_, at) => `API${at + 1}`);
  expect(idsOf(asvs.join(', ')).length).toBe(253);
  expect(ids.sort()).toEqual([...idsOf(asvs.join(', ')), ...risks].sort());
  const withTests = answers.flatMap(([, ids, answer = '']) => (proofsIn(answer).length > 0 ? [ids] : []));
  for (const [, ids, answer = ''] of answers) {
    const named = threatsIn(answer);
    const others = [...answer.matchAll(/(?:^|<br>)As ([\w.–]+)/g)].map(([, other]) => other);
    expect(withTests, ids).toEqual(expect.arrayContaining(others));
    expect(threats, ids).toEqual(expect.arrayContaining(named));
    const isAnswered =
      named.length + others.length > 0 ||
      proofsIn(answer).length > 0 ||
      /\]\([\w-]+\.md|^(Not applicable|The operator's|\*\*Not done\*\*): ./m.test(answer);
    expect(isAnswered, ids).toBe(true);
  }
  expectTestsExist(text);
  const tests = proofsIn(document).map(([proof]) => proof);
  const ownTests = proofsIn(text).map(([proof]) => proof);
  expect(ownTests.filter((proof, at) => ownTests.indexOf(proof) < at)).toEqual([]);
  expect(proofsIn(text).filter(([proof]) => tests.includes(proof))).toEqual([]);
  for (const [, file = '', anchor] of text.matchAll(/\]\(([\w/-]+\.md)(?:#([\w-]+))?\)/g)) {
    expect(existsSync(`docs/${file}`), file).toBe(true);
    const headings = [...readFileSync(`docs/${file}`, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, one = '']) =>
      anchorOf(one),
    );
    if (anchor) expect(headings, `${file}#${anchor}`).toContain(anchor);
  }
});

test('every test that the list of patches names exists', () => {
  const tests = [
    'e2e/ordering/page-load.e2e.ts',
    ...readdirSync('db', { encoding: 'utf8', recursive: true }).map((name) => `db/${name}`),
  ];
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
