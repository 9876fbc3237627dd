/**
 * Texts in four languages. English is the source. Other languages may lack a text, but have none that English lacks.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { scripts } from '@/package.json';
import { type CountedText, withEnglish } from '../domain/kernel/texts';
import { readTextFiles } from './text-files';

/** Returns the root of a project with these files. */
function createProject(files: Record<string, object>): string {
  const root = mkdtempSync(join(tmpdir(), 'texts-'));
  mkdirSync(join(root, 'server'));
  for (const [path, texts] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(texts));
  }
  return root;
}

/** Runs the command in a project. Returns its exit code and output. */
const listMissing = (cwd: string, ...options: string[]) =>
  promisify(execFile)(
    'node',
    ['--import', import.meta.resolve('tsx'), resolve('server/cli/missing-texts.ts'), ...options],
    {
      cwd,
      env: { ...process.env, TSX_TSCONFIG_PATH: resolve('tsconfig.json') },
    },
  ).then(
    ({ stdout }) => [0, stdout],
    ({ code, stdout }) => [code, stdout],
  );

const english = { title: 'Bills', states: { open: 'Open', paid: 'Paid' }, count: { one: '# bill', other: '# bills' } };
const withGap = () =>
  createProject({
    'components/messages/en/bills.json': english,
    'components/messages/zh/bills.json': { title: '账单', states: { open: '未结' }, count: { other: '# 张账单' } },
    'components/messages/ja/bills.json': english,
  });
const gaps = ['zh/bills.json: states.paid', 'ms/bills.json: title', 'ms/bills.json: states.open'];

test('the check lists each missing text, and passes', async () => {
  const [code, output] = await listMissing(withGap());
  for (const gap of gaps) expect(output).toContain(`components/messages/${gap}\n`);
  expect(output).not.toContain('/ja/');
  expect(code).toBe(0);
  expect(await listMissing(createProject({ 'components/messages/en/none.json': {} }))).toEqual([0, '']);
});

test('no release is made while a text is missing', async () => {
  expect(scripts.package).toMatch(/^tsx server\/cli\/missing-texts.ts --refuse && /);
  const [code, output] = await listMissing(withGap(), '--refuse');
  for (const gap of gaps) expect(output).toContain(`components/messages/${gap}\n`);
  expect(code).toBe(1);
});

test('a missing text, group or language is in English; a plural is taken as it is', () => {
  const { en, zh, ja, ms } = withEnglish(english, {
    zh: { title: '账单', states: { open: '未结' }, count: { other: '# 张账单' } },
    ja: {},
    ms: { states: { paid: 'Dibayar' } },
  });
  expect([en, ja]).toEqual([english, english]);
  expect(zh).toEqual({ title: '账单', states: { open: '未结', paid: 'Paid' }, count: { other: '# 张账单' } });
  expect(ms).toEqual({ ...english, states: { open: 'Open', paid: 'Dibayar' } });
});

test('a text that English lacks does not compile', () => {
  const stale = { titel: 'Bil' };
  // @ts-expect-error: English has no `titel`.
  withEnglish(english, { zh: {}, ja: {}, ms: stale });
  const staleState = { states: { shut: 'Tutup' } };
  // @ts-expect-error: English has no `states.shut`.
  expect(withEnglish(english, { zh: {}, ja: {}, ms: staleState }).ms).toEqual(english);
});

/** The domain fills these gaps with English words, so a translation may omit them. */
const isFilledInEnglish = (gap: string) =>
  ['thing', 'things', 'here', 'there', 'type', 'status', 'asked'].includes(gap);

/**
 * Returns the names of a text's gaps: `{count, plural, one {# item} other {# items of {name}}}` has `count` and `name`.
 */
function gapsIn(text: string): string[] {
  const names = new Set<string>();
  /** Reads a text up to its closing brace. Returns the position. */
  const readText = (from: number): number => {
    let at = from;
    while (at < text.length && text[at] !== '}') at = text[at] === '{' ? readGap(at + 1) : at + 1;
    return at;
  };
  const readGap = (from: number): number => {
    const [head = '', name = '', format] = /^\s*(\w+)\s*(,\s*\w+)?/.exec(text.slice(from)) ?? [];
    names.add(name);
    let at = from + head.length;
    while (text[at] !== '}') at = text[at] === '{' ? readText(at + 1) + 1 : at + 1;
    return format || head ? at + 1 : at;
  };
  readText(0);
  return [...names].sort();
}

const formsOf = (text: string | CountedText): [string, string][] =>
  typeof text === 'string' ? [['', text]] : Object.entries(text);

const files = readTextFiles().map((file) => [file.path, file] as const);

test('texts are found in every place that has some', () => {
  const folders = [
    'components/messages',
    'components/diner/words',
    'server/domain/kernel/words',
    'server/domain/messaging/words',
  ];
  for (const folder of folders) {
    for (const language of ['zh', 'ja', 'ms']) {
      expect(files.some(([path]) => path.startsWith(join(folder, language)))).toBe(true);
    }
  }
});

describe.each(files)('%s', (path, { language, texts, english: source }) => {
  const translated = [...texts].map(([key, text]) => ({ key, text, original: source.get(key) ?? '' }));

  test('has no text that English lacks', () => {
    expect([...texts.keys()].filter((key) => !source.has(key))).toEqual([]);
  });

  test('has the gaps of English', () => {
    for (const { key, text, original } of translated) {
      const [[, first] = ['', '']] = formsOf(original);
      for (const [, form] of formsOf(text)) {
        const used = gapsIn(form);
        const isOptional = (gap: string) =>
          path.endsWith('errors.json') && isFilledInEnglish(gap) && !used.includes(gap);
        expect(used, key).toEqual(gapsIn(first).filter((gap) => !isOptional(gap)));
      }
    }
  });

  test('has each plural form of its language', () => {
    const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const { key, text, original } of translated) {
      const expected = typeof original === 'string' ? [''] : [...plurals].sort();
      expect(
        formsOf(text)
          .map(([form]) => form)
          .sort(),
        key,
      ).toEqual(expected);
    }
  });

  test('has no empty text, and no sentence in English', () => {
    for (const { key, text, original } of translated) {
      const originals = formsOf(original).map(([, form]) => form);
      for (const [, form] of formsOf(text)) {
        expect(form.trim(), key).not.toBe('');
        if (/[a-z]{3,} [a-z]{3,}/.test(form)) expect(originals, key).not.toContain(form);
      }
    }
  });
});

test('English has each plural form, too', () => {
  for (const [path, { english: source }] of files) {
    for (const [key, text] of source) {
      const forms = formsOf(text).map(([form]) => form);
      expect([[''], ['one', 'other']], `${path} ${key}`).toContainEqual(forms);
    }
  }
});

test('every file of texts is shown: the index of its folder imports it', () => {
  const paths = readTextFiles().map(({ path }) => path);
  const forgotten = paths.filter((path) => {
    const index = join(dirname(path), 'index.ts');
    return existsSync(index) && !readFileSync(index, 'utf8').includes(`'./${basename(path)}'`);
  });
  expect(paths.length).toBeGreaterThan(100);
  expect(forgotten).toEqual([]);
});
