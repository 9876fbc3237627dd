/** Everything that the domain says can be read in the reader's language. */
import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Language } from '@/server/domain/kernel/context';
import { describeFailure } from '@/server/domain/kernel/describe-failure';
import { invalid } from '@/server/domain/kernel/errors';
import { inEnglish } from '@/server/domain/kernel/in-english';
import { problem, type Sentence, type SentenceKey, say } from '@/server/domain/kernel/say';
import { sentences } from '@/server/domain/kernel/sentences';
import errors from './en/errors.json';
import jaErrors from './ja/errors.json';
import { messages } from './messages';
import msErrors from './ms/errors.json';
import { useSentence } from './use-sentence';
import zhErrors from './zh/errors.json';

const Said = ({ sentence }: { sentence: Sentence }) => useSentence()(sentence);

function fail(error: Error): never {
  throw error;
}

function inWordsOf(language: Language, sentence: Sentence): string {
  const page = renderToStaticMarkup(
    <NextIntlClientProvider locale={language} messages={messages[language]} timeZone="UTC" onError={fail}>
      <Said sentence={sentence} />
    </NextIntlClientProvider>,
  );
  return page.replaceAll('&#x27;', "'");
}

/** Every sentence, with figures in its gaps. A sentence that quotes another one quotes "required". */
const all = Object.entries(sentences).map(([key, text]): Sentence => {
  const gaps = [...text.matchAll(/\{(\w+)\}/g)].map(([, gap = '']) => gap);
  const values = gaps.map((gap) => [gap, gap === 'problem' ? say('required') : 12]);
  return { key: key as SentenceKey, values: Object.fromEntries(values) };
});

test('every sentence reads in English as the API says it, or where that is a fragment, as a whole one', () => {
  for (const sentence of all.filter(({ key }) => key !== 'verbatim')) {
    const read = inWordsOf('en', sentence);
    const isFragment = /^(\p{Lower}|\d)/u.test(inEnglish(sentence)) || 'problem' in sentence.values;
    if (isFragment) expect(read, sentence.key).toMatch(/^Required$|^(\p{Upper}|12).*\.$/u);
    else expect(read).toBe(inEnglish(sentence));
  }
  const known: string[] = Object.keys(sentences);
  expect(Object.keys(errors).filter((key) => !known.includes(key))).toEqual([]);
});

// Texts by others, and a plain status, are the same in every language.
const isOurs = ({ key }: Sentence) => key !== 'verbatim' && key !== 'httpError';
const translatedInto = (texts: object) => all.filter((sentence) => isOurs(sentence) && sentence.key in texts);

test.each([
  ['zh', zhErrors, /\p{Script=Han}/u],
  ['ja', jaErrors, /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
] as const)('every translated sentence reads in %s', (language, texts, script) => {
  for (const sentence of translatedInto(texts)) expect(inWordsOf(language, sentence), sentence.key).toMatch(script);
});

test('every translated sentence reads in ms', () => {
  for (const sentence of translatedInto(msErrors))
    expect(inWordsOf('ms', sentence)).not.toBe(inWordsOf('en', sentence));
});

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is required'],
  [z.string(), null, 'must be a string, not null'],
  [z.int(), 'one', 'must be a number'],
  [z.int(), 1.5, 'must be an integer'],
  [z.boolean(), 1, 'must be a boolean'],
  [z.array(z.int()), {}, 'must be an array'],
  [z.object({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), 1, 'must be a record'],
  [z.int().min(3), 2, 'must be at least 3'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.int().max(1), 2, 'must be at most 1'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().min(2), '', 'must have at least 2 characters'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.string().max(1_000), 'x'.repeat(1_001), 'must have at most 1000 characters'],
  [z.array(z.int()).min(1), [], 'must have at least 1 item'],
  [z.array(z.int()).min(2), [], 'must have at least 2 items'],
  [z.array(z.int()).max(1), [1, 2], 'must have at most 1 item'],
  [z.array(z.int()).max(2), [1, 2, 3], 'must have at most 2 items'],
  [z.enum(['one', 'two']), 'three', 'must be one of one, two'],
  [z.email(), 'nobody', 'is not a valid e-mail address'],
  [z.uuid(), 'none', 'is not a valid id'],
  [z.iso.date(), 'today', 'must be a date, like 1990-05-17'],
  [z.iso.datetime({ offset: true }), 'now', 'must be an RFC 3339 time with its offset, like 2026-11-20T19:42:00+08:00'],
  [z.string().regex(/^\d{4}$/, problem('fourDigits')), 'x', 'must be exactly four digits'],
  [z.int().refine(() => false, problem('inRowAlready', { row: 7 })), 1, 'is in row 7 already'],
])('what a schema finds wrong is a sentence: %#', (schema, value, english) => {
  const sentence = describeFailure(schema.safeParse(value).error?.issues[0] as z.core.$ZodIssue);
  expect(inEnglish(sentence)).toBe(english);
  expect(sentence.key).not.toBe('verbatim');
});

test('amounts are written in the reader’s way, wherever they stand', () => {
  const price = { minor: 123_450, currency: 'SGD' };
  expect(inEnglish(say('balanceLeft', { amount: price }))).toBe('There is 1234.50 SGD of it.');
  expect(inWordsOf('en', say('balanceLeft', { amount: price }))).toBe('There is $1,234.50 of it.');
  const yen = (minor: number) => ({ minor, currency: 'JPY' });
  const limit = say('balanceLimitExceeded', { limit: yen(2_000), balance: yen(0) });
  expect(inWordsOf('zh', limit)).toBe('余额上限为 ¥2,000，现为 ¥0。');
  const { sentence } = invalid('amount', say('notPackageAmount', { amount: price }));
  expect(inWordsOf('zh', sentence)).toBe('须为套餐的金额 $1,234.50。');
});
