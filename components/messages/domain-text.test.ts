/** Everything that the domain says is found among the texts, so that no reader of another language meets English. */
import { NextIntlClientProvider } from 'next-intl';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Language } from '@/server/domain/core/context';
import { invalid } from '@/server/domain/core/errors';
import { sayWhy } from '@/server/domain/core/say-why';
import { domainSentences } from '@/server/testing/domain-sentences';
import { findSentence, useDomainText } from './domain-text';
import { messages } from './messages';

const Said = ({ text }: { text: string }) => useDomainText()(text);

function inWordsOf(language: Language, text: string): string {
  const children = createElement(Said, { text });
  const page = createElement(NextIntlClientProvider, {
    locale: language,
    messages: messages[language],
    timeZone: 'UTC',
    children,
  });
  return renderToStaticMarkup(page).replaceAll('&#x27;', "'");
}

test('every refusal and every reason of the domain has its text', () => {
  const sentences = domainSentences();
  // The reading of the source works: it finds what is known to be said.
  expect(sentences.map(({ sentence }) => sentence)).toEqual(
    expect.arrayContaining([
      'There is no such customer.',
      'must name a store, or all',
      'The PIN is wrong; one try is left.',
      'The PIN is wrong; 7 tries are left.',
      'is in row 7 already',
    ]),
  );
  expect(sentences.filter(({ sentence }) => findSentence(sentence) === null)).toEqual([]);
});

test('every text is recognised as itself, and reads the same in English', () => {
  for (const [key, text] of Object.entries(messages.en.errors)) {
    const sentence = text.replace(/\{s\}/g, 's').replace(/\{\w+\}/g, '12');
    expect(findSentence(sentence)?.key).toBe(key);
    expect(inWordsOf('en', sentence)).toBe(sentence);
  }
});

test('what any schema finds wrong has its text', () => {
  const wrong: [z.ZodType, unknown][] = [
    [z.string(), undefined],
    [z.int(), 'one'],
    [z.int(), 1.5],
    [z.int().min(3), 2],
    [z.number().positive(), 0],
    [z.int().max(1), 2],
    [z.string().min(1), ''],
    [z.string().max(1), 'ab'],
    [z.array(z.int()).min(2), []],
    [z.array(z.int()).max(1), [1, 2]],
    [z.enum(['one', 'two']), 'three'],
    [z.email(), 'nobody'],
    [z.uuid(), 'none'],
    [z.iso.date(), 'today'],
    [z.iso.datetime({ offset: true }), 'now'],
  ];
  for (const [schema, value] of wrong) {
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    const sentence = sayWhy(issue as z.core.$ZodIssue);
    expect(findSentence(sentence), sentence).not.toBeNull();
  }
});

test('values come along, whichever language', () => {
  expect(inWordsOf('zh', 'The PIN is wrong; 2 tries are left.')).toBe('PIN 码错误，还可以再试 2 次。');
  expect(inWordsOf('en', 'There is 1234.50 SGD of it.')).toBe('There is $1,234.50 of it.');
  expect(inWordsOf('zh', 'A balance may be 2000 JPY at most; it is 0 JPY.')).toBe('余额上限为 ¥2,000，现为 ¥0。');
  expect(inWordsOf('en', '20 SGD is not on offer at this store.')).toBe('20 SGD is not on offer at this store.');
  expect(inWordsOf('zh', 'There is S$ 12.50 of it.')).toBe('此项余额只有 S$ 12.50。');
  expect(inWordsOf('zh', invalid('photo', 'is larger than 8 MB').message)).toBe('文件不能超过 8 MB。');
  expect(inWordsOf('zh', 'must be at most 366 days from the first')).toBe('距开始日期不能超过 366 天。');
});

test('anything else stays as it is', () => {
  expect(inWordsOf('zh', '必填')).toBe('必填');
  expect(inWordsOf('zh', 'Required')).toBe('Required');
});
